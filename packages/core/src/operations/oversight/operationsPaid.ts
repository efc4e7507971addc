/** An upper bound for the gas of an operation. */
const GENEROUS_GAS = 1_000_000n
/** An account that can pay for fewer operations than this needs more funds. */
export const ALARM_OPERATIONS = 20n

/** Number of operations that an amount pays for at a gas price; null if gas costs nothing. */
export const operationsPaidBy = (amount: bigint, maxFeePerGas: bigint): bigint | null =>
  maxFeePerGas === 0n ? null : amount / (GENEROUS_GAS * maxFeePerGas)

/** The cost of `ALARM_OPERATIONS` operations. */
export const requiredAmount = (maxFeePerGas: bigint): bigint => ALARM_OPERATIONS * GENEROUS_GAS * maxFeePerGas
