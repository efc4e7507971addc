import { DateTime } from "effect"
import { stageOf, type WaitsFor } from "./Execution.ts"
import type { PendingExecution } from "./ExecutionStore.ts"

/**
 * Workers claim due executions within a few seconds. If an execution is overdue for longer than this, probably no
 * worker is running.
 */
const OVERDUE_AFTER_MS = 15_000

/** Returns whether no process is working on the execution. */
export const hasNoWorker = (
  { claim, dueAt }: Pick<PendingExecution, "claim" | "dueAt">,
  now: DateTime.Utc
): boolean => {
  const waitingSince = claim === null ? dueAt : DateTime.max(dueAt, claim.until)
  return DateTime.toEpochMillis(now) - DateTime.toEpochMillis(waitingSince) > OVERDUE_AFTER_MS
}

/** Reports that no worker is running, with the remedy. */
export const NO_WORKER = {
  waitsFor: "an execution worker: no process is working on it",
  whatToDo: "Make sure that `countersign serve` runs on this database."
}

/** The remedy for a wait that is longer than normal, by the party that must act. */
export const adviceOnLate: Readonly<Record<WaitsFor, string>> = {
  CHAIN: "Check the nodes of the chain, and the bundler: `countersign doctor` reports both.",
  BRIDGE: "Look up the transaction at the bridge; its support can explain the delay.",
  ORDER_BOOK: "Look up the order in the order book.",
  BANK: "Ask the fiat provider about the order.",
  PAYER: "No action is necessary: the payer has to pay."
}

/** Returns what a late execution waits for, and the remedy. */
export const delayReportOf = (
  lateExecution: PendingExecution,
  now: DateTime.Utc
): { readonly waitsFor: string; readonly whatToDo: string } => {
  if (hasNoWorker(lateExecution, now)) return NO_WORKER
  const { name, wait } = stageOf(lateExecution.execution)
  return {
    waitsFor: wait?.awaited ?? `the end of the stage "${name}"`,
    whatToDo: adviceOnLate[wait?.waitsFor ?? "CHAIN"]
  }
}
