import { DateTime, Effect } from "effect"
import type { Transaction, TransactionStatus } from "../history/index.ts"
import type { Execution, ExecutionStage } from "./Execution.ts"
import type { Change, Stage, Step } from "./Stage.ts"

/** Where a step leads: the execution as it then is, when it is due again (null: it has ended), and what is told of it. */
export interface Move {
  readonly execution: Execution
  readonly dueAt: DateTime.Utc | null
  readonly change: Change
  readonly isTold: boolean
  readonly also: Effect.Effect<void>
}

/** The stage as it is when an execution comes to it. */
const entered = (entry: ExecutionStage, stage: Stage | undefined, now: DateTime.Utc): ExecutionStage =>
  stage?.patienceMs == null || entry.deadline !== null
    ? entry
    : { ...entry, deadline: DateTime.add(now, { milliseconds: stage.patienceMs }) }

/** The stages as it comes back to one of them: those that wait for a while have all of it before them again. */
const renewed = (
  entries: ReadonlyArray<ExecutionStage>,
  from: number,
  stages: ReadonlyMap<string, Stage>
): ReadonlyArray<ExecutionStage> =>
  entries.map((entry, place) =>
    place < from || stages.get(entry.name)?.patienceMs == null ? entry : { ...entry, deadline: null }
  )

const withStatus =
  (status: TransactionStatus, change: Change, now: DateTime.Utc): Change =>
  (transaction: Transaction) =>
    change({ ...transaction, status, updatedAt: now })

/** The move that a step asks for; null where it only waits. */
export const moveOf = (
  execution: Execution,
  step: Step,
  stages: ReadonlyMap<string, Stage>,
  now: DateTime.Utc
): Move | null => {
  const also = step._tag === "Next" && step.also !== undefined ? step.also : Effect.void
  const told = (made: Omit<Move, "isTold" | "also">): Move => ({ ...made, isTold: true, also })
  const after = (milliseconds: number) => DateTime.add(now, { milliseconds })
  const current = execution.stages[execution.at]!
  const goTo = (at: number, change: Change, afterMs: number, entries = execution.stages): Move => {
    const target = entries[at]
    if (target === undefined) {
      return told({ execution, dueAt: null, change: withStatus("COMPLETED", change, now) })
    }
    const entry = entered(target, stages.get(target.name), now)
    return told({
      execution: { ...execution, at, stages: entries.with(at, entry) },
      dueAt: after(afterMs),
      change: withStatus(target.status, change, now)
    })
  }
  switch (step._tag) {
    case "Wait":
      return null
    case "Stay":
      return told({
        execution: { ...execution, stages: execution.stages.with(execution.at, { ...current, state: step.state }) },
        dueAt: after(step.afterMs),
        change: withStatus(current.status, step.change, now)
      })
    case "Next": {
      const named = execution.stages.findIndex(({ name }, at) => name === step.to && at > execution.at)
      // Past every stage where the one named is not planned: what lies between must not happen.
      const skipped = named < 0 ? execution.stages.length : named
      return goTo(step.to === undefined ? execution.at + 1 : skipped, step.change, step.afterMs ?? 0)
    }
    case "Back":
      return goTo(step.to, step.change, 0, renewed(execution.stages, step.to, stages))
    case "End":
      return told({ execution, dueAt: null, change: withStatus(current.status, step.change, now) })
    case "Settle":
      return { execution, dueAt: null, change: step.change, isTold: false, also }
  }
}
