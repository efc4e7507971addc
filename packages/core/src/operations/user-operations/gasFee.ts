import { mulDivRoundingDown, mulDivRoundingUp } from "../../foundation/primitives/index.ts"
import type { GasLimits } from "./Simulation.ts"

export const totalGasLimit = (limits: GasLimits): bigint =>
  limits.callGasLimit +
  limits.verificationGasLimit +
  limits.preVerificationGas +
  limits.paymasterVerificationGasLimit +
  limits.paymasterPostOpGasLimit

/** The maximum cost of an operation, in wei: ERC-4337's required prefund. */
export const maxGasFeeWei = (limits: GasLimits, maxFeePerGas: bigint): bigint => totalGasLimit(limits) * maxFeePerGas

/**
 * Wei as base units of the gas token. Rounded up: it is an upper bound, and an allowance one unit short would revert
 * the operation.
 */
export const gasFeeInTokenRoundingUp = (wei: bigint, tokenUnitsPerCoin: bigint): bigint =>
  mulDivRoundingUp(wei, tokenUnitsPerCoin, 10n ** 18n)

/** The same, rounded down: for values that must not exceed the cost. */
export const gasFeeInTokenRoundingDown = (wei: bigint, tokenUnitsPerCoin: bigint): bigint =>
  mulDivRoundingDown(wei, tokenUnitsPerCoin, 10n ** 18n)
