import type { TransferQuote, TransferRequest } from "../../client/resources.ts"
import { percentRoundingDown, units } from "../amounts.ts"
import { Unreadable } from "../bytes.ts"
import { type Coin, type ReadPsbt, readPsbt, scriptOf } from "./readPsbt.ts"

/** What the caller knows from somewhere else than the answer. */
export interface BitcoinTrust {
  /** The project's treasury on Bitcoin's chain, which gets transactionFeePercent: any address but the wallet's when left out. */
  readonly treasury?: string
  /** The most that the miner may get, in BTC: a hundredth of the amount, and 0.0001 at least, when left out. */
  readonly maxFee?: string
  /** Unix seconds of now: the machine's clock when left out. */
  readonly now?: number
  /** The longest that the quote may hold, in seconds: an hour when left out. */
  readonly maxSeconds?: number
}

export type BitcoinProblemCode =
  | "unreadable"
  | "wrong_signing"
  | "wrong_wallet"
  | "wrong_receiver"
  | "wrong_amount"
  | "wrong_change"
  | "wrong_fee"
  | "wrong_form"
  | "wrong_preview"
  | "wrong_echo"
  | "wrong_deadline"

export interface BitcoinProblem {
  readonly code: BitcoinProblemCode
  /** For people. */
  readonly message: string
  /** Where in the quote. */
  readonly path: string
}

export type BitcoinVerification =
  | {
      readonly ok: true
      /** Id of the transaction without signatures. */
      readonly txid: string
      /** In satoshis. */
      readonly fee: bigint
      readonly change: bigint
    }
  | { readonly ok: false; readonly problems: ReadonlyArray<BitcoinProblem> }

type Report = (code: BitcoinProblemCode, path: string, message: string) => void

const DECIMALS = 8
const MAX_SECONDS = 3_600
const LEAST_FEE_BOUND = 10_000n
/** BIP-125. */
const REPLACEABLE = 0xffff_fffd
/** What is too little for change goes to the miner: the dust limit of every kind of output is below it. */
const LEAST_CHANGE = 1_000n
/** Virtual bytes of the largest input that is paid from here, and of the rest of a transaction without its outputs. */
const INPUT_BYTES = 149n
const FRAME_BYTES = 11n
const OUTPUT_BYTES = 43n

const satoshis = (text: string): bigint => units(text, DECIMALS)
const sumOf = (coins: ReadonlyArray<{ readonly value: bigint }>) => coins.reduce((sum, { value }) => sum + value, 0n)

const checkSigning = ({ quoteId, signData }: TransferQuote, report: Report): string => {
  const [element, ...others] = signData
  if (element?.type !== "BITCOIN_TRANSACTION" || others.length > 0)
    throw new Unreadable("it does not ask for one signed transaction")
  const inBase64 = btoa(
    String.fromCharCode(...(element.psbt.slice(2).match(/../gu) ?? []).map((pair) => Number.parseInt(pair, 16)))
  )
  if (element.psbtBase64 !== inBase64)
    report("wrong_signing", "signData[0].psbtBase64", "It is another PSBT than the one in hexadecimal.")
  if (element.hash !== quoteId)
    report("wrong_signing", "signData[0].hash", "It is not the id by which the quote is executed.")
  return element.psbt.slice(2)
}

const checkForm = ({ inputs, lockTime, version }: ReadPsbt, wallet: string, report: Report): void => {
  if (version !== 2 || lockTime !== 0) report("wrong_form", "signData[0].psbt", "It has another version or lock time.")
  const coins = new Set(inputs.map(({ txid, vout }) => `${txid}:${vout}`))
  if (inputs.length === 0 || coins.size !== inputs.length)
    report("wrong_form", "signData[0].psbt", "It spends nothing, or a coin twice.")
  for (const [at, { isPlain, script, sequence }] of inputs.entries()) {
    if (script !== wallet) report("wrong_wallet", `input ${at}`, "It spends a coin of another address.")
    if (sequence !== REPLACEABLE) report("wrong_form", `input ${at}`, "It is not replaceable as BIP-125 says.")
    if (!isPlain) report("wrong_form", `input ${at}`, "It has a signature, or asks for one over a part alone.")
  }
}

interface Expected {
  /** Null for an address that is not known: any but the wallet's. */
  readonly script: string | null
  readonly value: bigint
}

/**
 * What the receivers must get, first the request's: what it bears of the fee is taken of the first. The project's fee is an
 * output where the quote lists it, of no more than was asked for.
 */
const expectedOf = (
  { amount, extraFee, toAddress, transactionFeePercent = 0 }: TransferRequest,
  { fees }: TransferQuote,
  { treasury }: BitcoinTrust,
  all: bigint
): ReadonlyArray<Expected> => {
  const whole = amount === "MAX" ? all : satoshis(amount)
  const hasService = fees.some(({ type }) => type === "SERVICE")
  const service = hasService ? percentRoundingDown(whole, transactionFeePercent) : 0n
  const extra = extraFee === undefined ? 0n : percentRoundingDown(whole, extraFee.percentage)
  const share = (address: string | undefined, value: bigint): ReadonlyArray<Expected> =>
    value === 0n ? [] : [{ script: address === undefined ? null : scriptOf(address), value }]
  return [
    { script: scriptOf(toAddress), value: whole - service - extra },
    ...share(treasury, service),
    ...share(extraFee?.toAddress, extra)
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
  const expected = expectedOf(request, quote, trust, sumOf(inputs) - fee)
  const paid = outputs.slice(0, expected.length)
  const rest = outputs.slice(expected.length)
  const change = sumOf(rest)
  if (rest.length > (isAll ? 0 : 1) || rest.some(({ script }) => script !== wallet))
    report("wrong_change", "outputs", "It pays somebody who was not asked for, or change that is not the wallet's.")
  for (const [at, { script, value }] of expected.entries()) {
    const found: Coin | undefined = paid[at]
    if (script === null ? found?.script === wallet : found?.script !== script)
      report("wrong_receiver", `output ${at}`, "It pays another receiver.")
    const bears = at === 0 && request.gasFeePaymentMethod === "DEDUCT_FROM_AMOUNT" && !isAll
    // Change that would be too little is left to the receiver, who bears the fee.
    const least = bears ? value - fee : value
    if (found === undefined || found.value < least || found.value > value)
      report("wrong_amount", `output ${at}`, `It pays ${found?.value ?? 0n} satoshis; ${value} were asked for.`)
  }
  return { fee, change }
}

const checkFee = (
  { inputs, outputs }: ReadPsbt,
  { feeRate }: TransferRequest,
  fee: bigint,
  { maxFee }: BitcoinTrust,
  report: Report
): void => {
  const share = sumOf(outputs) / 100n
  const bound = maxFee === undefined ? (share > LEAST_FEE_BOUND ? share : LEAST_FEE_BOUND) : satoshis(maxFee)
  if (fee <= 0n || fee > bound)
    report("wrong_fee", "bitcoin.fee", `The miner would get ${fee} satoshis; ${bound} are allowed.`)
  if (feeRate === undefined) return
  const size = FRAME_BYTES + BigInt(inputs.length) * INPUT_BYTES + BigInt(outputs.length) * OUTPUT_BYTES
  const most =
    (size * BigInt(Math.round(feeRate * 1_000))) / 1_000n + LEAST_CHANGE + OUTPUT_BYTES * BigInt(Math.ceil(feeRate))
  if (fee > most) report("wrong_fee", "bitcoin.fee", `At ${feeRate} sat/vB it takes ${most} satoshis at most.`)
}

const checkShown = (
  { bitcoin, chainId, toAddress, walletAddress }: TransferQuote,
  { inputs, outputs }: ReadPsbt,
  request: TransferRequest,
  { change, fee }: { readonly fee: bigint; readonly change: bigint },
  report: Report
): void => {
  if (chainId !== 0 || walletAddress !== request.walletAddress || toAddress !== request.toAddress)
    report("wrong_echo", "", "The quote says another chain, wallet or receiver than was asked for.")
  if (bitcoin === undefined) {
    report("wrong_preview", "bitcoin", "There is no preview.")
    return
  }
  const shownInputs = bitcoin.inputs.map(({ amount, txid, vout }) => `${txid}:${vout}:${satoshis(amount)}`)
  const shownOutputs = bitcoin.outputs.map(({ address, amount }) => `${scriptOf(address)}:${satoshis(amount)}`)
  const isShown =
    shownInputs.join() === inputs.map(({ txid, value, vout }) => `0x${txid}:${vout}:${value}`).join() &&
    shownOutputs.join() === outputs.map(({ script, value }) => `${script}:${value}`).join() &&
    satoshis(bitcoin.fee) === fee &&
    satoshis(bitcoin.change) === change
  if (!isShown) report("wrong_preview", "bitcoin", "The preview shows something else than what is signed.")
}

const verify = (
  request: TransferRequest,
  quote: TransferQuote,
  trust: BitcoinTrust,
  report: Report
): Extract<BitcoinVerification, { ok: true }> => {
  const psbt = readPsbt(checkSigning(quote, report))
  if (`0x${psbt.txid}` !== quote.quoteId)
    report("wrong_signing", "quoteId", "The transaction that is signed has another id than the quote.")
  const wallet = scriptOf(request.walletAddress)
  checkForm(psbt, wallet, report)
  const sums = checkOutputs(psbt, { quote, request, trust }, wallet, report)
  checkFee(psbt, request, sums.fee, trust, report)
  checkShown(quote, psbt, request, sums, report)
  const now = trust.now ?? Math.floor(Date.now() / 1_000)
  const expiresAt = Date.parse(quote.expiresAt) / 1_000
  if (!(expiresAt > now && expiresAt <= now + (trust.maxSeconds ?? MAX_SECONDS)))
    report("wrong_deadline", "expiresAt", "The quote has expired, or holds for longer than it may.")
  return { ok: true, txid: `0x${psbt.txid}`, ...sums }
}

/**
 * Whether the PSBT of a quote pays what was asked for, and nothing else: receivers, amounts, fees, change to the wallet, a
 * bounded fee, replaceable. Everything is read out of the PSBT itself. Amounts of P2WPKH and P2TR coins are what the signature
 * commits to; those of P2PKH coins are read from the transactions that made them.
 */
export const verifyBitcoinPayment = ({
  quote,
  request,
  trust = {}
}: {
  /** As it was sent. */
  readonly request: TransferRequest
  /** As it was answered. */
  readonly quote: TransferQuote
  readonly trust?: BitcoinTrust
}): BitcoinVerification => {
  const problems: Array<BitcoinProblem> = []
  try {
    const verification = verify(
      request,
      quote,
      trust,
      (code, path, message) => void problems.push({ code, path, message })
    )
    if (problems.length === 0) return verification
  } catch (thrown) {
    const text = thrown instanceof Error ? thrown.message : String(thrown)
    problems.push({ code: "unreadable", path: "", message: `The quote can't be read: ${text}` })
  }
  return { ok: false, problems }
}
