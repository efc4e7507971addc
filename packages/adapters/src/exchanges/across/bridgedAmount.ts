import { mulDivRoundingDown } from "@countersign/core/foundation/primitives"
import type { BridgeFees } from "./AcrossFees.ts"

const ONE_E18 = 10n ** 18n

/** The input and output token of a transfer. */
export interface BridgedTokens {
  readonly from: { readonly decimals: number }
  readonly to: { readonly decimals: number }
}

/** Converts base units of the token `from` to base units of the token `to`, at par. */
const convertRoundingUp = (amount: bigint, { from, to }: BridgedTokens): bigint => {
  const [fromUnit, toUnit] = [10n ** BigInt(from.decimals), 10n ** BigInt(to.decimals)]
  return (amount * toUnit + fromUnit - 1n) / fromUnit
}

const convertRoundingDown = (amount: bigint, { from, to }: BridgedTokens): bigint =>
  mulDivRoundingDown(amount, 10n ** BigInt(to.decimals), 10n ** BigInt(from.decimals))

/**
 * Returns the output for an amount up to the quoted one. The relayer's percentage is not higher for a smaller deposit,
 * and the gas of the fill is the same. Rounded down, so that relayers lose nothing. Zero or negative if the fees exceed
 * the amount.
 */
export const bridgedAmountRoundingDown = (tokens: BridgedTokens, fees: BridgeFees, amountIn: bigint): bigint => {
  const missingAmount = fees.amountIn - amountIn
  const missingAmountWithoutFee = missingAmount - mulDivRoundingDown(missingAmount, fees.shareE18, ONE_E18)
  return fees.amountOut - convertRoundingUp(missingAmountWithoutFee, tokens)
}

/**
 * Returns the fee of a transfer in base units of the input token. Rounded up, so that the quote does not understate the
 * fee.
 */
export const bridgeFeeRoundingUp = ({ from, to }: BridgedTokens, amountIn: bigint, amountOut: bigint): bigint => {
  const keptAmount = convertRoundingDown(amountOut, { from: to, to: from })
  return amountIn > keptAmount ? amountIn - keptAmount : 0n
}
