import { DateTime, Effect } from "effect"
import { finalStatuses, type Transaction, type TransactionStatus } from "../../accounting/history/index.ts"
import type { Execution, ExecutionStage } from "./Execution.ts"
import type { Change, Stage, Step } from "./Stage.ts"

/**
 * The result of a step: the execution, the time of its next check (null if it has ended), and the change of its
 * transaction.
 */
export interface StepResult {
  readonly execution: Execution
  readonly dueAt: DateTime.Utc | null
  readonly change: Change
  readonly isReported: boolean
  readonly also: Effect.Effect<void>
}

/** Returns a stage as the execution enters it, with its deadline and what it waits for. */
export const enterStage = (entry: ExecutionStage, stage: Stage | undefined, now: DateTime.Utc): ExecutionStage => {
  if (stage === undefined) return entry
  const { awaited, normalMs, patienceMs, waitsFor } = stage
  const timeAfter = (milliseconds: number | null) =>
    milliseconds === null ? null : DateTime.add(now, { milliseconds })
  return {
    ...entry,
    deadline: entry.deadline ?? timeAfter(patienceMs),
    wait: { waitsFor, awaited, lateAt: timeAfter(normalMs) }
  }
}

/** Returns the stage without a late time, because a wait of any length is normal. */
const withoutLateTime = (entry: ExecutionStage): ExecutionStage =>
  entry.wait === undefined ? entry : { ...entry, wait: { ...entry.wait, lateAt: null } }

/**
 * Clears the deadlines of the stages that the execution repeats after it returns to stage `from`, if they have a
 * maximum wait. Each gets a new deadline when the execution enters it. The deadline of an operation stays.
 */
const resetDeadlines = (
  entries: ReadonlyArray<ExecutionStage>,
  from: number,
  stages: ReadonlyMap<string, Stage>
): ReadonlyArray<ExecutionStage> =>
  entries.map((entry, index) =>
    index < from || stages.get(entry.name)?.patienceMs == null ? entry : { ...entry, deadline: null }
  )

/** Sets the status. `executedAt` stays null until the transaction ends, even if its first block was much earlier. */
const withStatus =
  (status: TransactionStatus, change: Change, now: DateTime.Utc): Change =>
  (transaction: Transaction) => {
    const changedTransaction = change({ ...transaction, status, updatedAt: now })
    return finalStatuses.has(changedTransaction.status)
      ? changedTransaction
      : { ...changedTransaction, executedAt: null }
  }

/** Returns the move that a step causes. Null if the step only waits. */
export const stepResultOf = (
  execution: Execution,
  step: Step,
  stages: ReadonlyMap<string, Stage>,
  now: DateTime.Utc
): StepResult | null => {
  const alsoStore = "also" in step && step.also !== undefined ? step.also : Effect.void
  const reportedMove = (move: Omit<StepResult, "isReported" | "also">): StepResult => ({
    ...move,
    isReported: true,
    also: alsoStore
  })
  const timeAfter = (milliseconds: number) => DateTime.add(now, { milliseconds })
  const activeStage = execution.stages[execution.at]!
  const isOpenEnded = "isOpenEnded" in step && step.isOpenEnded === true
  const withOpenEndedWait = (entry: ExecutionStage) => (isOpenEnded ? withoutLateTime(entry) : entry)
  const goTo = (at: number, change: Change, afterMs: number, entries = execution.stages): StepResult => {
    const target = entries[at]
    if (target === undefined) {
      return reportedMove({ execution, dueAt: null, change: withStatus("COMPLETED", change, now) })
    }
    const entry = withOpenEndedWait(enterStage(target, stages.get(target.name), now))
    return reportedMove({
      execution: { ...execution, at, stages: entries.with(at, entry) },
      dueAt: timeAfter(afterMs),
      change: withStatus(target.status, change, now)
    })
  }
  switch (step._tag) {
    case "Wait":
      return null
    case "Stay": {
      // An earlier version of the service did not record what the execution waits for.
      const currentStage =
        activeStage.wait === undefined ? enterStage(activeStage, stages.get(activeStage.name), now) : activeStage
      const move = reportedMove({
        execution: {
          ...execution,
          stages: execution.stages.with(execution.at, { ...withOpenEndedWait(currentStage), state: step.state })
        },
        dueAt: timeAfter(step.afterMs),
        change: withStatus(activeStage.status, step.change, now)
      })
      return { ...move, isReported: step.isReported ?? true }
    }
    case "Next": {
      const targetIndex = execution.stages.findIndex(({ name }, at) => name === step.to && at > execution.at)
      // If no later stage has this name, the execution ends. `to` skips all stages before the named one, so the
      // remaining stages must not run.
      const nextIndex = targetIndex < 0 ? execution.stages.length : targetIndex
      const move = goTo(step.to === undefined ? execution.at + 1 : nextIndex, step.change, step.afterMs ?? 0)
      return { ...move, isReported: step.isReported ?? true }
    }
    case "Back":
      return goTo(step.to, step.change, 0, resetDeadlines(execution.stages, step.to, stages))
    case "End":
      return reportedMove({ execution, dueAt: null, change: withStatus(activeStage.status, step.change, now) })
    case "Settle":
      return { execution, dueAt: null, change: step.change, isReported: false, also: alsoStore }
  }
}
