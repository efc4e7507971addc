import type { Transaction } from "../../src/client/index.ts"
import { title } from "../words.ts"
import { statusStyles } from "./statuses.ts"

export interface Stage {
  readonly words: string
  /** Date-time at which the transaction reached the stage; null if it has not reached it, or if the time is unknown. */
  readonly at: string | null
  readonly state: "done" | "current" | "ahead" | "failed"
}

const pendingStatuses: ReadonlySet<Transaction["status"]> = new Set(["PENDING_SIGNATURE", "PROCESSING", "ON_BRIDGE"])

export const isOver = ({ status }: Pick<Transaction, "status">): boolean => !pendingStatuses.has(status)

const currentStage = ({ status, substatus, updatedAt }: Transaction): Stage => ({
  words: substatus === null ? title(status) : `${title(status)}: ${title(substatus).toLowerCase()}`,
  at: updatedAt,
  state: "current"
})

const finalStage = (transaction: Transaction): Stage => {
  const { executedAt, status, substatus, updatedAt } = transaction
  if (!isOver(transaction)) return { words: "Completed", at: null, state: "ahead" }
  const isInBlock = status === "COMPLETED" && substatus !== null
  return {
    words: isInBlock ? `${title(status)}: ${title(substatus).toLowerCase()}` : title(status),
    at: executedAt ?? updatedAt,
    state: statusStyles[status] === "bad" ? "failed" : "done"
  }
}

/** Returns the stages of a transaction: acceptance, current stage, end. */
export const stagesOf = (transaction: Transaction): ReadonlyArray<Stage> => [
  // A transaction without a user operation, such as an external transfer, has no acceptance stage.
  ...(transaction.userOperationHash === null
    ? []
    : [{ words: "Accepted", at: transaction.createdAt, state: "done" } as const]),
  ...(isOver(transaction) ? [] : [currentStage(transaction)]),
  finalStage(transaction)
]
