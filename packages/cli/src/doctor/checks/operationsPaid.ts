import { countText } from "../words.ts"

/** Number of operations above which the exact number is not displayed. */
const MANY_OPERATIONS = 1_000_000n

export const operationsText = (operations: bigint | null): string => {
  if (operations === null) return "gas is free"
  return operations > MANY_OPERATIONS
    ? "enough for more than a million operations"
    : `enough for about ${countText(Number(operations), "operation")}`
}
