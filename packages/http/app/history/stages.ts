import type { Transaction } from "../../src/client/index.ts"
import { title } from "../words.ts"
import { tones } from "./statuses.ts"

export interface Stage {
  readonly words: string
  /** When the stage was reached; null if it was not reached, or the time is unknown. */
  readonly at: string | null
  readonly state: "done" | "current" | "ahead" | "failed"
}

const waiting: ReadonlySet<Transaction["status"]> = new Set(["PENDING_SIGNATURE", "PROCESSING", "ON_BRIDGE"])

export const isOver = ({ status }: Pick<Transaction, "status">): boolean => !waiting.has(status)

const current = ({ status, substatus, updatedAt }: Transaction): Stage => ({
  words: substatus === null ? title(status) : `${title(status)}: ${title(substatus).toLowerCase()}`,
  at: updatedAt,
  state: "current"
})

const end = (transaction: Transaction): Stage => {
  const { executedAt, status, substatus, updatedAt } = transaction
  if (!isOver(transaction)) return { words: "Completed", at: null, state: "ahead" }
  const isInBlock = status === "COMPLETED" && substatus !== null
  return {
    words: isInBlock ? `${title(status)}: ${title(substatus).toLowerCase()}` : title(status),
    at: executedAt ?? updatedAt,
    state: tones[status] === "bad" ? "failed" : "done"
  }
}

/** The stages of a transaction: accepted, current stage, end. */
export const stagesOf = (transaction: Transaction): ReadonlyArray<Stage> => [
  // An external transfer was never accepted.
  ...(transaction.userOperationHash === null
    ? []
    : [{ words: "Accepted", at: transaction.createdAt, state: "done" } as const]),
  ...(isOver(transaction) ? [] : [current(transaction)]),
  end(transaction)
]
