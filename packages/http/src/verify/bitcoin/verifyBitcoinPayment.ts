import type { TransferQuote, TransferRequest } from "../../client/resources.ts"
import { percentRoundingDown } from "../amounts.ts"
import { smallest } from "../bytes.ts"
import {
  type BitcoinProblem,
  checkDeadline,
  checkFee,
  checkForm,
  checkPreview,
  latestHeight,
  MIN_CHANGE,
  type Report,
  readQuotedPsbt,
  satoshis,
  sumOf,
  verificationOf
} from "./psbtChecks.ts"
import { type ReadPsbt, scriptOf, type TransactionOutput } from "./readPsbt.ts"

/** Facts that the caller knows from sources other than the quote. */
export interface BitcoinTrust {
  /**
   * The project's treasury on Bitcoin, which receives `transactionFeePercent`. Default: any address except the
   * wallet's.
   */
  readonly treasury?: string
  /**
   * Maximum miner fee, in BTC. The request's `feeRate` also bounds the fee, except the fee of a child transaction
   * (CPFP). Default if neither bounds it: 100 sat/vB, or 1 % of the amount that leaves the wallet if that is more. A
   * replacement may also pay the earlier fee plus 1 sat/vB. A child transaction may need a higher fee, because the
   * default counts only the size of the child: specify `maxFee` if the parent is large.
   */
  readonly maxFee?: string
  /** The current time in Unix seconds. Default: the machine's clock. */
  readonly now?: number
  /** Maximum time until the quote expires, in seconds. Default: one hour. */
  readonly maxSeconds?: number
}

export type BitcoinVerification =
  | {
      readonly ok: true
      /** The transaction id, which does not depend on signatures. */
      readonly txid: string
      /** In satoshis, like `change`. */
      readonly fee: bigint
      readonly change: bigint
    }
  | { readonly ok: false; readonly problems: ReadonlyArray<BitcoinProblem> }

interface ExpectedOutput {
  /** Null if any script except the wallet's is allowed. */
  readonly script: string | null
  readonly value: bigint
}

/**
 * Returns the required outputs: the receivers in the request's order, then the fees. The project's fee is required only
 * if the quote lists it. With MAX, the first amount is the rest after the miner fee. With DEDUCT_FROM_AMOUNT, the first
 * amount still includes the miner fee.
 */
const expectedOutputsOf = (
  { amount, extraFee, furtherReceivers = [], toAddress, transactionFeePercent = 0 }: TransferRequest,
  { fees }: TransferQuote,
  { treasury }: BitcoinTrust,
  availableAmount: bigint
): ReadonlyArray<ExpectedOutput> => {
  const furtherOutputs = furtherReceivers.map((receiver) => ({
    script: scriptOf(receiver.toAddress),
    value: satoshis(receiver.amount)
  }))
  // With MAX, the first receiver gets the rest. `availableAmount` is the sum of the inputs less the miner fee.
  const firstAmount = amount === "MAX" ? availableAmount - sumOf(furtherOutputs) : satoshis(amount)
  const requestedOutputs = [{ script: scriptOf(toAddress), value: firstAmount }, ...furtherOutputs]
  const servicePercent = fees.some(({ type }) => type === "SERVICE") ? transactionFeePercent : 0
  const feeShares = requestedOutputs.map(({ value }) => ({
    service: percentRoundingDown(value, servicePercent),
    extra: extraFee === undefined ? 0n : percentRoundingDown(value, extraFee.percentage)
  }))
  const serviceFee = feeShares.reduce((sum, each) => sum + each.service, 0n)
  const extraFeeAmount = feeShares.reduce((sum, each) => sum + each.extra, 0n)
  const feeOutput = (address: string | undefined, value: bigint): ReadonlyArray<ExpectedOutput> =>
    value === 0n ? [] : [{ script: address === undefined ? null : scriptOf(address), value }]
  return [
    ...requestedOutputs.map(({ script, value }, at) => ({
      script,
      value: value - feeShares[at]!.service - feeShares[at]!.extra
    })),
    ...feeOutput(treasury, serviceFee),
    ...feeOutput(extraFee?.toAddress, extraFeeAmount)
  ]
}

const checkOutputs = (
  { inputs, outputs }: ReadPsbt,
  {
    quote,
    request,
    trust
  }: { readonly quote: TransferQuote; readonly request: TransferRequest; readonly trust: BitcoinTrust },
  wallet: string,
  report: Report
): { readonly fee: bigint; readonly change: bigint } => {
  const fee = sumOf(inputs) - sumOf(outputs)
  const isAll = request.amount === "MAX"
  const expectedOutputs = expectedOutputsOf(request, quote, trust, sumOf(inputs) - fee)
  const paidOutputs = outputs.slice(0, expectedOutputs.length)
  const otherOutputs = outputs.slice(expectedOutputs.length)
  const change = sumOf(otherOutputs)
  if (otherOutputs.length > (isAll ? 0 : 1) || otherOutputs.some(({ script }) => script !== wallet))
    report(
      "wrong_change",
      "outputs",
      "The transaction pays a receiver that was not requested, or pays change to another address than the wallet."
    )
  for (const [at, { script, value }] of expectedOutputs.entries()) {
    const paidOutput: TransactionOutput | undefined = paidOutputs[at]
    if (script === null ? paidOutput?.script === wallet : paidOutput?.script !== script)
      report("wrong_receiver", `output ${at}`, "The output pays another receiver than requested.")
    const paysMinerFee = at === 0 && request.gasFeePaymentMethod === "DEDUCT_FROM_AMOUNT" && !isAll
    // With DEDUCT_FROM_AMOUNT, the miner fee reduces the first output. Without change, the deduction may be less than the
    // fee, because a remainder that is too small for change also goes to the miner.
    const minAmount = paysMinerFee ? value - fee : value
    const maxAmount = otherOutputs.length > 0 ? minAmount : smallest(value, minAmount + MIN_CHANGE)
    if (paidOutput === undefined || paidOutput.value < minAmount || paidOutput.value > maxAmount)
      report(
        "wrong_amount",
        `output ${at}`,
        `The output pays ${paidOutput?.value ?? 0n} satoshis; ${maxAmount} are expected.`
      )
  }
  return { fee, change }
}

const checkEcho = ({ chainId, toAddress, walletAddress }: TransferQuote, request: TransferRequest, report: Report) => {
  if (chainId !== 0 || walletAddress !== request.walletAddress || toAddress !== request.toAddress)
    report("wrong_echo", "", "The chain, the wallet or the receiver of the quote differs from the request.")
}

type VerifiedPayment = Extract<BitcoinVerification, { ok: true }>

const verify = (
  request: TransferRequest,
  quote: TransferQuote,
  trust: BitcoinTrust,
  report: Report
): VerifiedPayment => {
  const psbt = readQuotedPsbt(quote, report)
  const wallet = scriptOf(request.walletAddress)
  checkForm(psbt, { wallet, lastLockTime: latestHeight(trust) }, report)
  const sums = checkOutputs(psbt, { quote, request, trust }, wallet, report)
  checkFee(psbt, { fee: sums.fee, wallet, maxFee: trust.maxFee, feeRate: request.feeRate }, report)
  checkEcho(quote, request, report)
  checkPreview(quote.bitcoin, psbt, sums, report)
  checkDeadline(Date.parse(quote.expiresAt) / 1_000, trust, report)
  return { ok: true, txid: `0x${psbt.txid}`, ...sums }
}

/**
 * Verifies that the PSBT of a quote pays exactly what was requested: receivers, amounts, fees, and change to the
 * wallet. The miner fee must be bounded, and the transaction must be replaceable. All values are read from the PSBT
 * itself. Input amounts come from the previous transactions, which the PSBT must include. P2TR inputs do not need them,
 * because their signatures commit to the amounts.
 */
export const verifyBitcoinPayment = ({
  quote,
  request,
  trust = {}
}: {
  /** The request that the caller sent. */
  readonly request: TransferRequest
  /** The quote that the service returned. */
  readonly quote: TransferQuote
  readonly trust?: BitcoinTrust
}): BitcoinVerification => verificationOf((report) => verify(request, quote, trust, report))
