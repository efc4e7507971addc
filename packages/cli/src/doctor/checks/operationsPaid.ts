import { count } from "../words.ts"

/** The exact number does not matter above this. */
const PLENTY = 1_000_000n

export const enough = (operations: bigint | null): string => {
  if (operations === null) return "and gas costs nothing"
  return operations > PLENTY
    ? "enough for more than a million operations"
    : `enough for about ${count(Number(operations), "operation")}`
}
