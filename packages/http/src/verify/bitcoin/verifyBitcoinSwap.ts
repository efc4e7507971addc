import type { SwapQuote, SwapRequest } from "../../client/resources.ts"
import { percentRoundingDown } from "../amounts.ts"
import { Unreadable } from "../bytes.ts"
import {
  type BitcoinProblem,
  checkDeadline,
  checkFee,
  checkForm,
  checkPreview,
  type Report,
  readQuotedPsbt,
  satoshis,
  sumOf,
  verificationOf
} from "./psbtChecks.ts"
import { type ReadPsbt, scriptOf } from "./readPsbt.ts"
import { readThorchainMemo, thorchainChains } from "./thorchainMemo.ts"

/** Facts that the caller knows from sources other than the quote. */
export interface BitcoinSwapTrust {
  /** THORChain vault addresses from a THORNode that the caller trusts. Default: any address except the wallet's. */
  readonly vaults?: ReadonlyArray<string>
  /**
   * The project's treasury on Bitcoin, which receives `transactionFeePercent`. Default: any address except the
   * wallet's.
   */
  readonly treasury?: string
  /** Maximum miner fee, in BTC. Default: 100 sat/vB, or 1 % of the amount that leaves the wallet if that is more. */
  readonly maxFee?: string
  /** Minimum output, in units of `tokenOut`. Default: the quote's `amountOut` less `slippage`. */
  readonly minAmountOut?: string
  /** The current time in Unix seconds. Default: the machine's clock. */
  readonly now?: number
  /** Maximum time until the quote expires, in seconds. Default: one hour. */
  readonly maxSeconds?: number
}

export type BitcoinSwapVerification =
  | {
      readonly ok: true
      /** The transaction id, which does not depend on signatures. */
      readonly txid: string
      /** In satoshis, like `change`. */
      readonly fee: bigint
      readonly change: bigint
      /** Facts that cannot be known before execution, as sentences. */
      readonly unknown: ReadonlyArray<string>
    }
  | { readonly ok: false; readonly problems: ReadonlyArray<BitcoinProblem> }

interface VerificationInput {
  readonly request: SwapRequest
  readonly quote: SwapQuote
  readonly trust: BitcoinSwapTrust
  /** The wallet's output script, in hexadecimal. */
  readonly wallet: string
}

const NATIVE_TOKEN = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
const E8_DECIMALS = 8
const OP_RETURN = "6a"

/** Converts an amount in token units to units of 10^-8, rounded up. */
const e8Of = (text: string): bigint => {
  const [whole = "0", fraction = ""] = text.split(".")
  const keptDigits = fraction.slice(0, E8_DECIMALS).padEnd(E8_DECIMALS, "0")
  const roundingUnit = /[1-9]/u.test(fraction.slice(E8_DECIMALS)) ? 1n : 0n
  return BigInt(whole + keptDigits) + roundingUnit
}

/** Lowers an amount by one millionth and one unit, because quotes are rounded down to the token's decimals. */
const subtractRounding = (e8: bigint): bigint => e8 - e8 / 1_000_000n - 1n

/** Returns the caller's minimum output, otherwise the quoted output less slippage, in units of 10^-8. */
const minOutputOf = ({ quote, request: { slippage = 0.5 }, trust }: VerificationInput): bigint =>
  trust.minAmountOut === undefined
    ? subtractRounding((e8Of(quote.amountOut) * BigInt(Math.round((100 - slippage) * 1_000_000))) / 100_000_000n)
    : e8Of(trust.minAmountOut)

const checkMemo = ({ outputs }: ReadPsbt, verificationInput: VerificationInput, report: Report): void => {
  const { quote, request } = verificationInput
  const [, memoOutput, ...others] = outputs
  if (memoOutput === undefined || !memoOutput.script.startsWith(OP_RETURN) || memoOutput.value !== 0n)
    throw new Unreadable("the second output is not the memo that THORChain requires")
  if (others.some(({ script }) => script.startsWith(OP_RETURN)))
    report("wrong_form", "outputs", "The transaction contains a second memo.")
  const memo = readThorchainMemo(memoOutput.script)
  const knownChain = thorchainChains[request.chainIdOut]
  const isToken = request.tokenOut.toLowerCase() !== NATIVE_TOKEN
  const isRequestedToken = isToken
    ? memo.suffix !== null && request.tokenOut.toLowerCase().endsWith(memo.suffix)
    : memo.suffix === null && memo.symbol === knownChain?.coin
  if (knownChain === undefined || memo.chain !== knownChain.chain || !isRequestedToken)
    report("wrong_token", "output 1", "The memo requests another token or another chain.")
  if (memo.destination !== request.toAddress.toLowerCase())
    report("wrong_receiver", "output 1", "The memo names another receiver.")
  if (memo.limitE8 < e8Of(quote.minAmountOut) || memo.limitE8 < minOutputOf(verificationInput))
    report(
      "wrong_minimum",
      "output 1",
      "The minimum amount in the memo is lower than the quote's minimum, or lower than the slippage allows."
    )
}

/** Checks the outputs in order: the payment to the vault, the fees after the memo, and at most one change output. */
const checkOutputs = (
  { inputs, outputs }: ReadPsbt,
  { quote, request, trust, wallet }: VerificationInput,
  report: Report
) => {
  const fee = sumOf(inputs) - sumOf(outputs)
  const amount = satoshis(request.amountIn)
  const hasServiceFee = quote.fees.some(({ type }) => type === "SERVICE")
  const serviceFee = hasServiceFee ? percentRoundingDown(amount, request.transactionFeePercent ?? 0) : 0n
  const extraFee = request.extraFee === undefined ? 0n : percentRoundingDown(amount, request.extraFee.percentage)
  const [vaultOutput] = outputs
  const netAmount = amount - serviceFee - extraFee
  const deductedFee = request.gasFeePaymentMethod === "DEDUCT_FROM_AMOUNT" ? fee : 0n
  const maxAmount = netAmount - deductedFee
  // The deduction is computed before the final miner fee is known. It may be higher, but at most twice the fee.
  const minAmount = maxAmount - deductedFee
  if (vaultOutput === undefined || vaultOutput.value > maxAmount || vaultOutput.value < minAmount)
    report(
      "wrong_amount",
      "output 0",
      `The vault gets ${vaultOutput?.value ?? 0n} satoshis; ${maxAmount} are expected.`
    )
  const isVault =
    trust.vaults === undefined
      ? vaultOutput?.script !== wallet
      : trust.vaults.some((address) => scriptOf(address) === vaultOutput?.script)
  if (!isVault) report("wrong_receiver", "output 0", "The output does not pay a vault of THORChain.")
  const feeOutputs = [
    { script: trust.treasury === undefined ? null : scriptOf(trust.treasury), value: serviceFee },
    { script: request.extraFee === undefined ? null : scriptOf(request.extraFee.toAddress), value: extraFee }
  ].filter(({ value }) => value > 0n)
  for (const [at, { script, value }] of feeOutputs.entries()) {
    const nextOutput = outputs[at + 2]
    const isExpectedScript = script === null ? nextOutput?.script !== wallet : nextOutput?.script === script
    if (!isExpectedScript || nextOutput?.value !== value)
      report("wrong_fee", `output ${at + 2}`, "The output pays another fee or another receiver than requested.")
  }
  const otherOutputs = outputs.slice(2 + feeOutputs.length)
  if (otherOutputs.length > 1 || otherOutputs.some(({ script }) => script !== wallet))
    report(
      "wrong_change",
      "outputs",
      "The transaction pays a receiver that was not requested, or pays change to another address than the wallet."
    )
  return { fee, change: sumOf(otherOutputs) }
}

const checkEcho = ({ quote, request }: VerificationInput, report: Report): void => {
  const isSameText = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
  const isEchoed =
    quote.chainIn === 0 &&
    quote.chainOut === request.chainIdOut &&
    quote.walletAddress === request.walletAddress &&
    isSameText(quote.toAddress, request.toAddress) &&
    isSameText(quote.tokenOut, request.tokenOut) &&
    satoshis(quote.amountIn) === satoshis(request.amountIn)
  if (!isEchoed) report("wrong_echo", "", "A field of the quote differs from the request.")
}

const unverifiedFactsOf = (
  { request, trust }: VerificationInput,
  vaultAddress: string | null
): ReadonlyArray<string> => [
  ...(trust.vaults === undefined
    ? [
        `Whether ${vaultAddress ?? "the first output's script"} is currently a vault of THORChain. Compare it with /thorchain/inbound_addresses of a THORNode, or set \`trust.vaults\`.`
      ]
    : []),
  ...(request.tokenOut.toLowerCase() === NATIVE_TOKEN
    ? []
    : ["Whether another token of THORChain matches the shortened address in the memo."]),
  "Whether and when THORChain pays out. If it can't deliver the minimum amount, it refunds the deposit less a fee."
]

const verify = (
  request: SwapRequest,
  quote: SwapQuote,
  trust: BitcoinSwapTrust,
  report: Report
): Extract<BitcoinSwapVerification, { ok: true }> => {
  if (quote.swapProvider !== "THORCHAIN") throw new Unreadable(`the verifier does not support ${quote.swapProvider}`)
  const psbt = readQuotedPsbt(quote, report)
  const verificationInput: VerificationInput = { request, quote, trust, wallet: scriptOf(request.walletAddress) }
  checkForm(psbt, { wallet: verificationInput.wallet, lastLockTime: 0 }, report)
  checkMemo(psbt, verificationInput, report)
  const sums = checkOutputs(psbt, verificationInput, report)
  checkFee(psbt, { fee: sums.fee, wallet: verificationInput.wallet, maxFee: trust.maxFee }, report)
  checkEcho(verificationInput, report)
  checkPreview(quote.bitcoin, psbt, sums, report)
  checkDeadline(quote.expiresAt, trust, report)
  return {
    ok: true,
    txid: `0x${psbt.txid}`,
    ...sums,
    unknown: unverifiedFactsOf(verificationInput, quote.bitcoin?.outputs[0]?.address ?? null)
  }
}

/**
 * Verifies that the PSBT of a swap from Bitcoin pays the amount to one output, pays only the requested fees, and
 * returns the rest to the wallet. Its memo must instruct THORChain to pay the requested token to the requested
 * receiver, with the required minimum. All values are read from the PSBT itself.
 */
export const verifyBitcoinSwap = ({
  quote,
  request,
  trust = {}
}: {
  /** The request that the caller sent. */
  readonly request: SwapRequest
  /** The quote that the service returned. */
  readonly quote: SwapQuote
  readonly trust?: BitcoinSwapTrust
}): BitcoinSwapVerification => verificationOf((report) => verify(request, quote, trust, report))
