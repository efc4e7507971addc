import type { Fee } from "../../fees/index.ts"
import type { UserOperationIntent } from "../../intents/index.ts"
import type { PlannedStage } from "../Quote.ts"

/** The stages of a user operation: its inclusion, other stages of the quote, and the finality of its blocks. */
export const operationStages = (middleStages: ReadonlyArray<PlannedStage> = []): ReadonlyArray<PlannedStage> => [
  { name: "inclusion", intent: 0, status: "PROCESSING" },
  ...middleStages,
  { name: "finality", intent: null, status: "COMPLETED" }
]

/** The most that an operation's gas can cost. */
export const gasFeeOf = ({ gas, operation }: UserOperationIntent): Fee => ({
  type: "GAS",
  chainId: operation.chainId,
  token: gas.token,
  amount: gas.maxToken,
  toAddress: operation.paymaster?.address ?? null,
  percentage: null
})
