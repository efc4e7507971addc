import { Context, DateTime, Effect, Layer } from "effect"
import { HistoryStore, type Transaction } from "../../accounting/history/index.ts"
import { type PendingReviewCount, VerificationSessionStore } from "../../identity/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import {
  delayReportOf,
  ExecutionStore,
  type PendingExecution,
  type PendingStage,
  stageOf
} from "../executions/index.ts"
import { UnpaidGasStore } from "../unpaid-gas/index.ts"
import { type Balance, balancesOf, SPENDING_DAYS } from "./balances.ts"
import { adviceOnFailure } from "./failureAdvice.ts"
import { GasFunds } from "./GasFunds.ts"

/** Maximum number of listed late operations, and of listed failed operations. */
const LISTED_MAX = 50

/** An operation whose wait in its stage is longer than normal. */
export interface LateOperation
  extends Pick<PendingExecution["execution"], "id" | "projectId" | "walletAddress" | "acceptedAt"> {
  readonly kind: string
  readonly stage: string
  readonly lateSince: DateTime.Utc | null
  readonly waitsFor: string
  readonly whatToDo: string
}

/** A transaction that failed. */
export interface FailedOperation {
  readonly transaction: Transaction
  readonly code: string
  readonly reason: string
  readonly whatToDo: string
}

/** Pending work of a project or of all projects. */
export interface PendingWork {
  readonly stages: ReadonlyArray<PendingStage>
  readonly reviews: ReadonlyArray<PendingReviewCount>
  /** At most `LISTED_MAX`, in the order in which they became late, earliest first. */
  readonly late: ReadonlyArray<LateOperation>
}

const lateOperation = (lateExecution: PendingExecution, now: DateTime.Utc): LateOperation => {
  const { acceptedAt, id, projectId, walletAddress } = lateExecution.execution
  const { name, wait } = stageOf(lateExecution.execution)
  return {
    id,
    projectId,
    walletAddress,
    acceptedAt,
    kind: lateExecution.quote.kind,
    stage: name,
    lateSince: wait?.lateAt ?? null,
    ...delayReportOf(lateExecution, now)
  }
}

const failedOperation = (transaction: Transaction): FailedOperation => {
  const code = transaction.failure?.code ?? "UNKNOWN"
  return {
    transaction,
    code,
    reason: transaction.failure?.message ?? "No reason was recorded.",
    whatToDo: adviceOnFailure(code)
  }
}

/** Monitoring data for the operator. */
export class Oversight extends Context.Service<
  Oversight,
  {
    /** Returns the pending work of one project, or of all projects if the id is null. */
    readonly readPendingWork: (projectId: ProjectId | null) => Effect.Effect<PendingWork>
    /** Returns the latest failed operations of a project, at most `LISTED_MAX`. */
    readonly listFailed: (projectId: ProjectId) => Effect.Effect<ReadonlyArray<FailedOperation>>
    /** Returns the balances of the accounts that pay gas. */
    readonly balances: Effect.Effect<ReadonlyArray<Balance>>
  }
>()("@countersign/core/oversight/Oversight") {
  static readonly layer = Layer.effect(
    Oversight,
    Effect.gen(function* () {
      const executions = yield* ExecutionStore
      const history = yield* HistoryStore
      const sessions = yield* VerificationSessionStore
      const unpaidGasLedger = yield* UnpaidGasStore
      const funds = yield* GasFunds

      return Oversight.of({
        readPendingWork: Effect.fn("Oversight.pendingWork")(function* (projectId) {
          const now = yield* DateTime.now
          const lateExecutions = yield* executions.listLate(projectId, now, LISTED_MAX)
          return {
            stages: yield* executions.countPending(projectId, now),
            reviews: yield* sessions.countPending(projectId),
            late: lateExecutions.map((lateExecution) => lateOperation(lateExecution, now))
          }
        }),
        listFailed: Effect.fn("Oversight.failed")(function* (projectId) {
          return (yield* history.listFailed(projectId, LISTED_MAX)).map(failedOperation)
        }),
        balances: Effect.gen(function* () {
          const now = yield* DateTime.now
          const sinceTime = DateTime.subtract(now, { days: SPENDING_DAYS })
          // Costs are stored per day, so these are the costs of today and of the six days before.
          const firstDay = DateTime.subtract(now, { days: SPENDING_DAYS - 1 })
          const [accounts, costs, revertedGas] = yield* Effect.all(
            [funds.read, unpaidGasLedger.readCosts(firstDay), unpaidGasLedger.readTotals(sinceTime, "REVERTED_BUNDLE")],
            { concurrency: "unbounded" }
          )
          return balancesOf(accounts, costs, revertedGas, now)
        })
      })
    })
  )
}
