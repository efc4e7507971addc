import { mulDivRoundingDown, mulDivRoundingUp } from "../../foundation/primitives/index.ts"
import type { GasLimits } from "./Simulation.ts"

export const totalGasLimit = (limits: GasLimits): bigint =>
  limits.callGasLimit +
  limits.verificationGasLimit +
  limits.preVerificationGas +
  limits.paymasterVerificationGasLimit +
  limits.paymasterPostOpGasLimit

/** Returns the maximum cost of an operation in wei, which ERC-4337 calls the required prefund. */
export const maxGasFeeWei = (limits: GasLimits, maxFeePerGas: bigint): bigint => totalGasLimit(limits) * maxFeePerGas

/**
 * Converts wei to base units of the gas token. Rounded up, because the result is an upper bound, and an allowance that
 * is one base unit too low would make the operation revert.
 */
export const gasFeeInTokenRoundingUp = (wei: bigint, tokenUnitsPerNativeToken: bigint): bigint =>
  mulDivRoundingUp(wei, tokenUnitsPerNativeToken, 10n ** 18n)

/** Converts wei to base units of the gas token. Rounded down, for values that must not exceed the cost. */
export const gasFeeInTokenRoundingDown = (wei: bigint, tokenUnitsPerNativeToken: bigint): bigint =>
  mulDivRoundingDown(wei, tokenUnitsPerNativeToken, 10n ** 18n)
