import type { TransferQuote } from "../../client/resources.ts"
import { Unreadable } from "../bytes.ts"
import {
  checkDeadline,
  checkFee,
  checkForm,
  checkPreview,
  feeOf,
  latestHeight,
  type Report,
  readQuotedPsbt,
  sumOf,
  verificationOf
} from "./psbtChecks.ts"
import { type ReadPsbt, readPsbt, scriptOf, type TransactionOutput } from "./readPsbt.ts"
import type { BitcoinTrust, BitcoinVerification } from "./verifyBitcoinPayment.ts"

/**
 * The request for a fee bump, a cancellation or a child transaction (CPFP), with facts that the caller knows from other
 * sources than the quote.
 */
export type BitcoinReplacementRequest =
  | {
      readonly kind: "BUMP" | "CANCEL"
      readonly walletAddress: string
      /** The quote of the pending payment, which the caller has verified. */
      readonly earlier: TransferQuote
      readonly feeRate?: number
    }
  | {
      /** A child transaction (CPFP): it spends a pending deposit and pays the fee for both transactions. */
      readonly kind: "CHILD"
      readonly walletAddress: string
      /** Transaction hash of the deposit. */
      readonly transactionHash: string
      readonly feeRate?: number
    }

const outpointText = ({ txid, vout }: ReadPsbt["inputs"][number]) => `${txid}:${vout}`
const outputText = ({ script, value }: TransactionOutput) => `${script}:${value}`

/**
 * Checks that the replacement spends all UTXOs of the earlier payment, so that only one of the two can be mined. Checks
 * that its fee is higher, because nodes would not relay it otherwise.
 */
const checkReplaces = (psbt: ReadPsbt, replacedPsbt: ReadPsbt, report: Report): void => {
  const spentOutputs = new Set(psbt.inputs.map(outpointText))
  if (!replacedPsbt.inputs.every((input) => spentOutputs.has(outpointText(input))))
    report(
      "wrong_replacement",
      "signData[0].psbt",
      "The replacement does not spend every UTXO of the earlier payment, so both could be mined."
    )
  if (feeOf(psbt) <= feeOf(replacedPsbt))
    report(
      "wrong_fee",
      "bitcoin.fee",
      "The fee is not higher than the fee of the earlier payment, so nodes would not relay the replacement."
    )
}

const checkSpends = (psbt: ReadPsbt, transactionHash: string, report: Report): void => {
  if (!psbt.inputs.some(({ txid }) => `0x${txid}` === transactionHash.toLowerCase()))
    report(
      "wrong_replacement",
      "signData[0].psbt",
      "The transaction does not spend an output of the deposit to speed up."
    )
}

const verify = (
  request: BitcoinReplacementRequest,
  quote: TransferQuote,
  trust: BitcoinTrust,
  report: Report
): Extract<BitcoinVerification, { ok: true }> => {
  const psbt = readQuotedPsbt(quote, report)
  const wallet = scriptOf(request.walletAddress)
  const isForeign = ({ script }: TransactionOutput) => script !== wallet
  checkForm(psbt, { wallet, lastLockTime: latestHeight(trust) }, report)
  const foreignOutputs = psbt.outputs.filter(isForeign).map(outputText)
  let expectedOutputs: ReadonlyArray<string> = []
  let replacedPsbt: ReadPsbt | undefined
  if (request.kind === "CHILD") checkSpends(psbt, request.transactionHash, report)
  else {
    const [element] = request.earlier.signData
    if (element?.type !== "BITCOIN_TRANSACTION")
      throw new Unreadable("the earlier quote is not a quote for a Bitcoin payment")
    replacedPsbt = readPsbt(element.psbt.slice(2))
    checkReplaces(psbt, replacedPsbt, report)
    if (request.kind === "BUMP") expectedOutputs = replacedPsbt.outputs.filter(isForeign).map(outputText)
  }
  if (foreignOutputs.join() !== expectedOutputs.join())
    report(
      "wrong_receiver",
      "outputs",
      request.kind === "BUMP"
        ? "The replacement does not pay the same amounts to the same receivers."
        : "The transaction pays another address than the wallet."
    )
  const ownOutputs = psbt.outputs.filter((output) => !isForeign(output))
  if (ownOutputs.length > 1) report("wrong_change", "outputs", "The transaction pays the wallet more than once.")
  const sums = { fee: feeOf(psbt), change: sumOf(ownOutputs) }
  // A child also pays for its parent, so its own fee rate exceeds the requested rate.
  const feeRate = request.kind === "CHILD" ? undefined : request.feeRate
  checkFee(psbt, { fee: sums.fee, wallet, maxFee: trust.maxFee, feeRate, earlier: replacedPsbt }, report)
  if (quote.walletAddress !== request.walletAddress || quote.replaces?.kind !== request.kind)
    report("wrong_echo", "replaces", "The wallet or the kind of the replacement differs from the request.")
  checkPreview(quote.bitcoin, psbt, sums, report)
  checkDeadline(Date.parse(quote.expiresAt) / 1_000, trust, report)
  return { ok: true, txid: `0x${psbt.txid}`, ...sums }
}

/**
 * Verifies the quote of a fee bump, cancellation or child transaction (CPFP). A fee bump or cancellation must spend the
 * UTXOs of the earlier payment, and a child an output of the deposit. A fee bump pays the same receivers, the others
 * none. The rest returns to the wallet, and the fee is bounded.
 */
export const verifyBitcoinReplacement = ({
  quote,
  request,
  trust = {}
}: {
  readonly request: BitcoinReplacementRequest
  /** The quote that the service returned. */
  readonly quote: TransferQuote
  readonly trust?: BitcoinTrust
}): BitcoinVerification => verificationOf((report) => verify(request, quote, trust, report))
