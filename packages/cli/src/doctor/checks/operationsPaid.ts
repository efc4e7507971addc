import { count } from "../words.ts"

/** More than any operation takes. */
const GENEROUS_GAS = 1_000_000n
/** For fewer operations than this, money is running out. */
export const FEW_OPERATIONS = 20n

/** How many operations an amount pays for at a price; null where gas costs nothing. */
export const operationsPaidBy = (amount: bigint, maxFeePerGas: bigint): bigint | null =>
  maxFeePerGas === 0n ? null : amount / (GENEROUS_GAS * maxFeePerGas)

/** The cost of as many operations as there should be money for. */
export const requiredAmount = (maxFeePerGas: bigint): bigint => FEW_OPERATIONS * GENEROUS_GAS * maxFeePerGas

/** Past this the number says nothing any more. */
const PLENTY = 1_000_000n

export const enough = (operations: bigint | null): string => {
  if (operations === null) return "and gas costs nothing"
  return operations > PLENTY
    ? "enough for more than a million operations"
    : `enough for about ${count(Number(operations), "operation")}`
}
