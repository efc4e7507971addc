/** More than any operation uses. */
const GENEROUS_GAS = 1_000_000n
/** An account that pays for fewer operations than this needs more. */
export const FEW_OPERATIONS = 20n

/** How many operations an amount pays for at a gas price; null where gas costs nothing. */
export const operationsPaidBy = (amount: bigint, maxFeePerGas: bigint): bigint | null =>
  maxFeePerGas === 0n ? null : amount / (GENEROUS_GAS * maxFeePerGas)

/** The cost of `FEW_OPERATIONS` operations. */
export const requiredAmount = (maxFeePerGas: bigint): bigint => FEW_OPERATIONS * GENEROUS_GAS * maxFeePerGas
