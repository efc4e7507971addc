import type { TransferQuote } from "../../client/resources.ts"
import { parseUnits } from "../amounts.ts"
import { largest, smallest, Unreadable } from "../bytes.ts"
import { type Clock, deadlineProblemOrNull, nowOf } from "../deadline.ts"
import { type ReadPsbt, readPsbt, scriptOf } from "./readPsbt.ts"

export type BitcoinProblemCode =
  | "unreadable"
  | "wrong_signing"
  | "wrong_wallet"
  | "wrong_receiver"
  | "wrong_amount"
  | "unproven_amount"
  | "wrong_change"
  | "wrong_fee"
  | "wrong_form"
  | "wrong_preview"
  | "wrong_token"
  | "wrong_minimum"
  | "wrong_echo"
  | "wrong_replacement"
  | "wrong_deadline"

export interface BitcoinProblem {
  readonly code: BitcoinProblemCode
  /** Human-readable. */
  readonly message: string
  /** The path of the field in the quote. */
  readonly path: string
}

export type Report = (code: BitcoinProblemCode, path: string, message: string) => void

const DECIMALS = 8
/** In sat/vB. */
const DEFAULT_MAX_FEE_RATE = 100
/**
 * In sat/vB. A replacement pays this rate for its own size, in addition to the fee of the replaced payment (BIP-125,
 * rule 4).
 */
const INCREMENTAL_RATE = 1
/** In satoshis. A smaller remainder may go to the miner. This exceeds the dust limit of every output type. */
export const MIN_CHANGE = 1_000n
/** Sizes in virtual bytes: the largest supported input, a transaction without inputs and outputs, and the largest output. */
const INPUT_BYTES = 149n
const FRAME_BYTES = 11n
const OUTPUT_BYTES = 43n
/** Sequence numbers that signal replaceability (BIP-125) without a relative lock time (BIP-68). */
const REPLACEABLE = { first: 0x8000_0000, last: 0xffff_fffd } as const
/** A mainnet block with its timestamp, and a lower bound for the average seconds between blocks (584 in 2023). */
const KNOWN_BLOCK = { height: 840_000, seconds: 1_713_571_767, secondsBetween: 580 } as const

export const satoshis = (text: string): bigint => parseUnits(text, DECIMALS)
export const sumOf = (outputs: ReadonlyArray<{ readonly value: bigint }>) =>
  outputs.reduce((sum, { value }) => sum + value, 0n)

type SignedQuote = Pick<TransferQuote, "quoteId" | "signData">

const checkSigning = ({ quoteId, signData }: SignedQuote, report: Report): string => {
  const [element, ...others] = signData
  if (element?.type !== "BITCOIN_TRANSACTION" || others.length > 0)
    throw new Unreadable("it does not request the signature of exactly one transaction")
  const psbtBase64 = btoa(
    String.fromCharCode(...(element.psbt.slice(2).match(/../gu) ?? []).map((pair) => Number.parseInt(pair, 16)))
  )
  if (element.psbtBase64 !== psbtBase64)
    report("wrong_signing", "signData[0].psbtBase64", "`psbtBase64` and `psbt` are different PSBTs.")
  if (element.hash !== quoteId) report("wrong_signing", "signData[0].hash", "`hash` is not the id of the quote.")
  return element.psbt.slice(2)
}

/** Returns an upper bound for the current block height. A payment never needs a later lock time. */
export const latestHeight = (clock: Pick<Clock, "now">): number =>
  KNOWN_BLOCK.height + Math.ceil((nowOf(clock) - KNOWN_BLOCK.seconds) / KNOWN_BLOCK.secondsBetween)

/**
 * Checks the version, the lock time and the inputs. `lastLockTime` is the highest allowed lock time, as a block height.
 */
export const checkForm = (
  { inputs, lockTime, version }: ReadPsbt,
  { lastLockTime, wallet }: { readonly lastLockTime: number; readonly wallet: string },
  report: Report
): void => {
  if (version !== 2) report("wrong_form", "signData[0].psbt", "The version of the transaction is not 2.")
  if (lockTime > lastLockTime)
    report(
      "wrong_form",
      "signData[0].psbt",
      `The lock time of the transaction is ${lockTime}; at most ${lastLockTime} is allowed.`
    )
  const outpoints = new Set(inputs.map(({ txid, vout }) => `${txid}:${vout}`))
  if (inputs.length === 0 || outpoints.size !== inputs.length)
    report("wrong_form", "signData[0].psbt", "The transaction spends no UTXO, or spends a UTXO twice.")
  for (const [at, { isAmountProven, isPlain, script, sequence }] of inputs.entries()) {
    if (script !== wallet) report("wrong_wallet", `input ${at}`, "The input spends a UTXO of another address.")
    if (sequence < REPLACEABLE.first || sequence > REPLACEABLE.last)
      report("wrong_form", `input ${at}`, "The input does not signal replaceability (BIP-125).")
    if (!isPlain)
      report(
        "wrong_form",
        `input ${at}`,
        "The input contains a signature, or requests a signature for only a part of the transaction."
      )
    if (!isAmountProven)
      report(
        "unproven_amount",
        `input ${at}`,
        "The amount of the input is not proven, because the PSBT does not contain the complete previous transaction (`nonWitnessUtxo`). A false amount would hide a higher fee. Request another quote."
      )
  }
}

/** Returns the maximum size of the signed transaction, in virtual bytes. */
const sizeOf = ({ inputs, outputs }: ReadPsbt): bigint =>
  FRAME_BYTES + BigInt(inputs.length) * INPUT_BYTES + BigInt(outputs.length) * OUTPUT_BYTES

/**
 * Returns the maximum fee, in satoshis, at a rate in sat/vB. It includes a remainder that is too small for a change
 * output, because such a remainder goes to the miner.
 */
const feeAtRate = (psbt: ReadPsbt, feeRate: number): bigint =>
  (sizeOf(psbt) * BigInt(Math.round(feeRate * 1_000))) / 1_000n + MIN_CHANGE + OUTPUT_BYTES * BigInt(Math.ceil(feeRate))

/** A transaction's fee, and the values that bound it. */
interface FeeCheck {
  /** In satoshis. */
  readonly fee: bigint
  /** The wallet's output script, in hexadecimal. */
  readonly wallet: string
  /** The caller's maximum fee, in BTC. */
  readonly maxFee: string | undefined
  /** The requested fee rate, in sat/vB. */
  readonly feeRate?: number | undefined
  /** The payment that this transaction replaces. */
  readonly earlier?: ReadPsbt | undefined
}

export const feeOf = ({ inputs, outputs }: ReadPsbt): bigint => sumOf(inputs) - sumOf(outputs)

/**
 * Returns the maximum fee in satoshis if the caller specifies neither `maxFee` nor a fee rate. Outputs to the wallet do
 * not count for the 1 %, because a wallet with one large UTXO gets nearly all of it back as change.
 */
const defaultMaxFee = (psbt: ReadPsbt, wallet: string): bigint =>
  largest(sumOf(psbt.outputs.filter(({ script }) => script !== wallet)) / 100n, feeAtRate(psbt, DEFAULT_MAX_FEE_RATE))

/**
 * Returns the fee in satoshis that nodes may require for a replacement, regardless of the requested rate. A replacement
 * must pay the earlier fee plus the increment (BIP-125, rules 3 and 4), at a higher rate. The result includes 5 % for
 * signatures that are shorter than assumed.
 */
const replacementFee = (psbt: ReadPsbt, replacedPsbt: ReadPsbt): bigint => {
  const feeAtSameRate = (feeOf(replacedPsbt) * sizeOf(psbt) * 21n) / (sizeOf(replacedPsbt) * 20n)
  return largest(feeOf(replacedPsbt), feeAtSameRate) + feeAtRate(psbt, INCREMENTAL_RATE)
}

/** Returns the maximum fee, in satoshis, that follows from a rate. Null if only `maxFee` bounds the fee. */
const rateBound = (psbt: ReadPsbt, { earlier, feeRate, maxFee, wallet }: FeeCheck): bigint | null => {
  if (feeRate === undefined && maxFee !== undefined) return null
  const bound = feeRate === undefined ? defaultMaxFee(psbt, wallet) : feeAtRate(psbt, feeRate)
  return earlier === undefined ? bound : largest(bound, replacementFee(psbt, earlier))
}

/**
 * Checks that the miner fee does not exceed `maxFee`, nor the maximum fee at `feeRate`. If neither is specified, the
 * maximum is the fee at 100 sat/vB, or 1 % of the amount that leaves the wallet if that is more. A replacement may
 * always pay the earlier fee plus the increment of BIP-125, up to `maxFee`.
 */
export const checkFee = (psbt: ReadPsbt, check: FeeCheck, report: Report): void => {
  const { fee, maxFee } = check
  const bound = [maxFee === undefined ? null : satoshis(maxFee), rateBound(psbt, check)]
    .filter((each) => each !== null)
    .reduce(smallest)
  if (fee <= 0n || fee > bound)
    report(
      "wrong_fee",
      "bitcoin.fee",
      `The miner fee is ${fee} satoshis; at most ${bound} are allowed. The limit comes from \`trust.maxFee\`, the requested fee rate, or the default.`
    )
}

/** Checks that a quote has not expired, and that it does not expire too late. */
export const checkDeadline = (expiresAt: number, trust: Clock, report: Report): void => {
  const problem = deadlineProblemOrNull(expiresAt, trust)
  if (problem !== null) report("wrong_deadline", "expiresAt", problem)
}

/** The transaction that a quote displays. Amounts are in BTC. */
interface ShownTransaction {
  readonly inputs: ReadonlyArray<{ readonly txid: string; readonly vout: number; readonly amount: string }>
  /** Null for a data output. */
  readonly outputs: ReadonlyArray<{ readonly address: string | null; readonly amount: string }>
  readonly fee: string
  readonly change: string
}

const OP_RETURN = "6a"

/** Checks that the displayed transaction matches the PSBT. */
export const checkPreview = (
  shownTransaction: ShownTransaction | undefined,
  { inputs, outputs }: ReadPsbt,
  { change, fee }: { readonly fee: bigint; readonly change: bigint },
  report: Report
): void => {
  if (shownTransaction === undefined) {
    report("wrong_preview", "bitcoin", "The quote contains no preview of the transaction.")
    return
  }
  const shownInputs = shownTransaction.inputs.map(({ amount, txid, vout }) => `${txid}:${vout}:${satoshis(amount)}`)
  const isShown =
    shownInputs.join() === inputs.map(({ txid, value, vout }) => `0x${txid}:${vout}:${value}`).join() &&
    shownTransaction.outputs.length === outputs.length &&
    shownTransaction.outputs.every(({ address, amount }, at) => {
      const { script, value } = outputs[at]!
      const isSame = address === null ? script.startsWith(OP_RETURN) : scriptOf(address) === script
      return isSame && satoshis(amount) === value
    }) &&
    satoshis(shownTransaction.fee) === fee &&
    satoshis(shownTransaction.change) === change
  if (!isShown) report("wrong_preview", "bitcoin", "The preview differs from the transaction to sign.")
}

/** Decodes the PSBT that the owner signs. Checks that the quote contains its transaction id. */
export const readQuotedPsbt = (quote: SignedQuote, report: Report): ReadPsbt => {
  const psbt = readPsbt(checkSigning(quote, report))
  if (`0x${psbt.txid}` !== quote.quoteId)
    report("wrong_signing", "quoteId", "The quote's id is not the id of the transaction to sign.")
  return psbt
}

/** Returns the result of a check, or its problems. A quote that cannot be decoded also counts as a problem. */
export const verificationOf = <A extends { readonly ok: true }>(
  check: (report: Report) => A
): A | { readonly ok: false; readonly problems: ReadonlyArray<BitcoinProblem> } => {
  const problems: Array<BitcoinProblem> = []
  try {
    const verification = check((code, path, message) => void problems.push({ code, path, message }))
    if (problems.length === 0) return verification
  } catch (thrown) {
    const text = thrown instanceof Error ? thrown.message : String(thrown)
    problems.push({ code: "unreadable", path: "", message: `The quote can't be decoded: ${text}` })
  }
  return { ok: false, problems }
}
