import type { Fee } from "../../fees/index.ts"
import { type Leg, pendingLeg } from "../../history/index.ts"
import type { GasFee, UserOperationIntent } from "../../intents/index.ts"
import type { PlannedStage } from "../Quote.ts"

/**
 * The stages of a quote whose first intents are these operations: their inclusion one after the other, other stages, and
 * the finality of their blocks. Other stages count intents from the last operation on.
 */
export const operationStages = (
  operations: ReadonlyArray<UserOperationIntent>,
  middleStages: ReadonlyArray<PlannedStage> = []
): ReadonlyArray<PlannedStage> => [
  ...operations.map((_, intent): PlannedStage => ({ name: "inclusion", intent, status: "PROCESSING" })),
  ...middleStages.map((stage) => ({
    ...stage,
    intent: stage.intent === null ? null : stage.intent + operations.length - 1
  })),
  { name: "finality", intent: null, status: "COMPLETED" }
]

/** The legs of these operations: first that of the last, by which the quote is known. */
export const operationLegs = (operations: ReadonlyArray<UserOperationIntent>): ReadonlyArray<Leg> =>
  operations.map(({ operation: { chainId } }, stage) => pendingLeg(chainId, stage)).toReversed()

/** The most that gas can cost, which is paid as the operation says. */
export const gasFeeOf = (gas: GasFee, { operation }: UserOperationIntent): Fee => ({
  type: "GAS",
  chainId: operation.chainId,
  token: gas.token,
  amount: gas.maxToken,
  toAddress: operation.paymaster?.address ?? null,
  percentage: null
})
