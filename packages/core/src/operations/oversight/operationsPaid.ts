/** Gas assumed for an operation. Most operations need less; one that creates a pool can need more. */
const ASSUMED_GAS = 1_000_000n
/** Number of operations below which an account needs more funds. */
export const ALARM_OPERATIONS = 20n

/** Returns the number of operations that an amount pays for at a gas price. Null if gas costs nothing. */
export const affordableOperations = (amount: bigint, maxFeePerGas: bigint): bigint | null =>
  maxFeePerGas === 0n ? null : amount / (ASSUMED_GAS * maxFeePerGas)

/** Returns the cost of `ALARM_OPERATIONS` operations, in wei. */
export const requiredAmount = (maxFeePerGas: bigint): bigint => ALARM_OPERATIONS * ASSUMED_GAS * maxFeePerGas
