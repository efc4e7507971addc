import { mulDivRoundingDown } from "@countersign/core/foundation/primitives"
import type { BridgeFees } from "./AcrossFees.ts"

const ONE_E18 = 10n ** 18n

/** The token that is taken, and the one that is given. */
export interface BridgedTokens {
  readonly from: { readonly decimals: number }
  readonly to: { readonly decimals: number }
}

/** Base units of the token that is given for base units of the one that is taken, at par. */
const convertedRoundingUp = (amount: bigint, { from, to }: BridgedTokens): bigint => {
  const [fromUnit, toUnit] = [10n ** BigInt(from.decimals), 10n ** BigInt(to.decimals)]
  return (amount * toUnit + fromUnit - 1n) / fromUnit
}

const convertedRoundingDown = (amount: bigint, { from, to }: BridgedTokens): bigint =>
  mulDivRoundingDown(amount, 10n ** BigInt(to.decimals), 10n ** BigInt(from.decimals))

/**
 * What relayers give for an amount, at most the one that they were asked about: their share of a smaller deposit is no
 * greater, and the gas of a fill is the same. Rounded down, so that no relayer loses a unit by it. Zero or less where the
 * fees take all.
 */
export const bridgedRoundingDown = (tokens: BridgedTokens, fees: BridgeFees, amountIn: bigint): bigint => {
  const less = fees.amountIn - amountIn
  const spared = less - mulDivRoundingDown(less, fees.shareE18, ONE_E18)
  return fees.amountOut - convertedRoundingUp(spared, tokens)
}

/** The fee of a transfer, in base units of the token that is taken. Rounded up, against the quote. */
export const bridgeFeeRoundingUp = ({ from, to }: BridgedTokens, amountIn: bigint, amountOut: bigint): bigint => {
  const kept = convertedRoundingDown(amountOut, { from: to, to: from })
  return amountIn > kept ? amountIn - kept : 0n
}
