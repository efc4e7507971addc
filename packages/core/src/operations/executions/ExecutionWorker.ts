import { Clock, Context, DateTime, Deferred, Duration, Effect, Layer, Option, type Scope } from "effect"
import { HistoryStore, Transactions } from "../../accounting/history/index.ts"
import { type Hash32, UnitOfWork } from "../../foundation/primitives/index.ts"
import { delayForAgeMs } from "../../foundation/work/index.ts"
import { ArrivalObserver, newlyRecordedTransfers } from "./ArrivalObserver.ts"
import { type Execution, stageOf } from "./Execution.ts"
import { type ClaimedExecution, ExecutionStore } from "./ExecutionStore.ts"
import { ExecutionLease } from "./Executions.ts"
import { heldExecutions } from "./heldExecutions.ts"
import { type StepResult, stepResultOf } from "./moves.ts"
import { withMovedReservation } from "./reservation/movedReservation.ts"
import { type Stage, Stages, type Step, type Work } from "./Stage.ts"

/**
 * Maximum duration of a step, as a fraction of the claim's remaining time. The worker therefore still has the claim
 * when the step ends.
 */
const STEP_SHARE = 0.8
/**
 * Number of executions that one worker runs concurrently. It claims no more than that, because claims could expire
 * while their executions wait.
 */
const CONCURRENCY = 16
/** The delay before the next request to an upstream that did not respond. */
const RETRY_WAIT = { shortestMs: 1_000, longestMs: 30_000 }
/** Maximum delay until the next check for which a worker keeps its claim, instead of storing the time of the check. */
const HELD_WAIT_MS = 2_000
/** The fraction of the claim's duration after which a worker returns a claim that it has kept between checks. */
const HELD_SHARE = 0.5
/** Maximum time in milliseconds since the acceptance of the executions that `NEW` claims. */
export const NEW_ACCEPTANCE_MS = 15_000
/**
 * Delay until another process may claim an execution whose stage this process does not have. Different versions of the
 * service may run concurrently.
 */
const UNKNOWN_STAGE_MS = 30_000

/** The period of a worker's claim. After its end, any worker can claim the execution. */
interface Lease {
  readonly worker: string
  /** Epoch milliseconds. */
  readonly untilMs: number
}

const remainingLeaseMs = ({ untilMs }: Lease, nowMs: number): number => untilMs - nowMs

/** Stores the results of steps. */
const storedMoves = Effect.gen(function* () {
  const store = yield* ExecutionStore
  const history = yield* HistoryStore
  const transactions = yield* Transactions
  const unitOfWork = yield* UnitOfWork
  const notify = yield* ArrivalObserver

  const transactionOf = ({ id, projectId }: Execution) =>
    Effect.flatMap(
      history.find(projectId, id),
      Option.match({
        onNone: () => Effect.die(new Error(`Execution ${id} has no transaction`)),
        onSome: Effect.succeed
      })
    )

  /** Stores a move together with the change of the transaction, unless another worker has moved the execution. */
  const storeMove = (claim: ClaimedExecution, { also, change, dueAt, execution, isReported }: StepResult) =>
    unitOfWork.run(
      Effect.gen(function* () {
        // A cancellation changes only the transaction, not the execution's version.
        yield* store.lock(execution.projectId, execution.id)
        const transactionBefore = yield* transactionOf(execution)
        const transactionAfter = change(transactionBefore)
        const movedExecution = withMovedReservation(execution, transactionAfter, dueAt === null)
        if (!(yield* store.update(movedExecution, claim.version, dueAt))) return
        yield* isReported
          ? transactions.change(transactionBefore, transactionAfter)
          : transactions.amend(transactionAfter)
        yield* also
        // Stages without an intent record transactions of other parties. The chain watcher does not need a notification
        // for the wallet's own operations: it recognizes them, and waits until the stage has recorded them.
        if (stageOf(claim.execution).intent === null)
          yield* notify(newlyRecordedTransfers(transactionBefore, transactionAfter))
        yield* Effect.logInfo("execution moved", {
          stage: stageOf(execution).name,
          status: transactionAfter.status,
          substatus: transactionAfter.substatus,
          hasEnded: dueAt === null
        })
      })
    )

  const workOf = ({ execution, quote }: ClaimedExecution, now: DateTime.Utc): Work => {
    const stage = stageOf(execution)
    return {
      execution,
      quote,
      stage,
      intent: stage.intent === null ? null : (quote.intents[stage.intent] ?? null),
      transaction: transactionOf(execution),
      isOverdue: stage.deadline !== null && DateTime.isGreaterThan(now, stage.deadline)
    }
  }

  return { make: storeMove, workOf }
})

const waitStep = (afterMs: number): Step => ({ _tag: "Wait", afterMs })

const retryStep = ({ execution: { acceptedAt } }: ClaimedExecution) =>
  Effect.map(DateTime.now, (now) => waitStep(delayForAgeMs(acceptedAt, now, RETRY_WAIT)))

/**
 * Runs a check of the current stage, and returns its step. The step is `Wait` if an upstream does not respond, or if
 * this process does not have the stage.
 */
const runStep = Effect.fnUntraced(function* (stages: ReadonlyMap<string, Stage>, claim: ClaimedExecution, work: Work) {
  const stage = stages.get(work.stage.name)
  if (stage === undefined) {
    yield* Effect.logError("an execution is in a stage that this process does not have", { stage: work.stage.name })
    return waitStep(UNKNOWN_STAGE_MS)
  }
  return yield* stage
    .step(work)
    .pipe(
      Effect.catchTag("UPSTREAM_UNAVAILABLE", (error) =>
        Effect.andThen(
          Effect.logWarning("an execution waits for an upstream", { reason: error.message }),
          retryStep(claim)
        )
      )
    )
})

/** Executes accepted quotes: claims due executions, runs a step of their current stage, and stores the result. */
export class ExecutionWorker extends Context.Service<
  ExecutionWorker,
  {
    /**
     * Claims due executions and runs one step of each. Returns the number of executions. `NEW` claims only executions
     * that were accepted within the last 15 seconds, newest first. They therefore do not wait behind thousands of older
     * ones. If `scope` is given, executions with a short delay until the next step stay claimed, and their next steps
     * run in the scope.
     */
    readonly runDue: (worker: string, which?: "ALL" | "NEW", scope?: Scope.Scope) => Effect.Effect<number>
    /** Makes the executions of these user operations due immediately, because their on-chain state may have changed. */
    readonly wake: (operations: ReadonlyArray<Hash32>) => Effect.Effect<void>
  }
>()("@countersign/core/executions/ExecutionWorker") {
  static readonly layer = Layer.effect(
    ExecutionWorker,
    Effect.gen(function* () {
      const store = yield* ExecutionStore
      const { make, workOf } = yield* storedMoves
      const heldClaims = heldExecutions()
      yield* store.onWake(heldClaims.wake)
      const leaseMs = Duration.toMillis(yield* ExecutionLease)
      const stages: ReadonlyMap<string, Stage> = new Map((yield* Stages).map((stage) => [stage.name, stage]))

      /**
       * Returns a claim. Does nothing after the end of the claim, because another worker may have claimed the
       * execution.
       */
      const releaseClaim = Effect.fnUntraced(function* (
        { execution }: ClaimedExecution,
        lease: Lease,
        afterMs: number
      ) {
        const now = yield* DateTime.now
        if (remainingLeaseMs(lease, DateTime.toEpochMillis(now)) <= 0) return
        yield* store.reschedule(
          execution.projectId,
          execution.id,
          lease.worker,
          DateTime.add(now, { milliseconds: afterMs })
        )
      })

      const wakeQuote = ({ execution: { projectId, quoteId } }: ClaimedExecution) =>
        Effect.flatMap(DateTime.now, (now) => store.wakeQuote(projectId, quoteId, now))

      /**
       * Runs a step. Returns the delay in milliseconds until the next step if the claim can be kept until then,
       * otherwise null.
       */
      const advance = Effect.fnUntraced(function* (claim: ClaimedExecution, lease: Lease, canHold: boolean) {
        const stepMs = remainingLeaseMs(lease, yield* Clock.currentTimeMillis) * STEP_SHARE
        // The claim has ended while it was kept, for example because the clock has jumped. Another worker may have
        // claimed the execution.
        if (stepMs <= 0) return null
        const step = yield* runStep(stages, claim, workOf(claim, yield* DateTime.now)).pipe(
          Effect.timeoutOrElse({
            duration: stepMs,
            orElse: () =>
              Effect.andThen(Effect.logWarning("a step exceeded its time limit and was interrupted"), retryStep(claim))
          })
        )
        if (step._tag === "Wait") {
          const nextMs = (yield* Clock.currentTimeMillis) + step.afterMs
          const isClose = step.afterMs <= HELD_WAIT_MS && remainingLeaseMs(lease, nextMs) >= leaseMs * (1 - HELD_SHARE)
          if (canHold && isClose && heldClaims.hasRoom()) return step.afterMs
          yield* releaseClaim(claim, lease, step.afterMs)
          return null
        }
        const move = stepResultOf(claim.execution, step, stages, yield* DateTime.now)
        if (move !== null) yield* make(claim, move)
        return null
      })

      /** Runs steps until the execution has moved, or until its claim is returned. */
      const advanceClaim = (
        claim: ClaimedExecution,
        lease: Lease,
        canHold: boolean,
        onFirst: Effect.Effect<unknown> = Effect.void
      ) =>
        heldClaims
          .keep(
            claim,
            Effect.fnUntraced(function* (wakes) {
              let afterMs = yield* advance(claim, lease, canHold)
              yield* onFirst
              while (afterMs !== null) {
                yield* wakes.wait(afterMs)
                afterMs = yield* advance(claim, lease, canHold)
              }
              // The execution was woken during the claim, so the last step may have read an older state.
              if (wakes.isWoken()) yield* wakeQuote(claim)
            })
          )
          .pipe(
            Effect.onInterrupt(() => releaseClaim(claim, lease, 0)),
            Effect.catchCause((cause) => Effect.logError("processing an execution failed", cause)),
            Effect.annotateLogs({ quoteId: claim.quote.id, transactionId: claim.execution.id })
          )

      /** Runs the first step and returns. Further steps run in the scope. */
      const advanceFirst = Effect.fnUntraced(function* (
        claim: ClaimedExecution,
        lease: Lease,
        scope: Scope.Scope | undefined
      ) {
        if (scope === undefined) return yield* advanceClaim(claim, lease, false)
        const firstStep = yield* Deferred.make<void>()
        const endFirstStep = Deferred.succeed(firstStep, undefined)
        yield* Effect.forkIn(Effect.ensuring(advanceClaim(claim, lease, true, endFirstStep), endFirstStep), scope)
        yield* Deferred.await(firstStep)
      })

      return ExecutionWorker.of({
        wake: (operations) => Effect.flatMap(DateTime.now, (now) => store.wake(operations, now)),
        runDue: Effect.fnUntraced(function* (worker, selection = "ALL", scope) {
          const nowMs = yield* Clock.currentTimeMillis
          const lease: Lease = { worker, untilMs: nowMs + leaseMs }
          const claims = yield* store.claim({
            worker,
            now: DateTime.makeUnsafe(nowMs),
            leaseUntil: DateTime.makeUnsafe(lease.untilMs),
            limit: CONCURRENCY,
            ...(selection === "NEW" ? { acceptedAfter: DateTime.makeUnsafe(nowMs - NEW_ACCEPTANCE_MS) } : {})
          })
          yield* Effect.forEach(claims, (claim) => advanceFirst(claim, lease, scope), {
            concurrency: CONCURRENCY,
            discard: true
          })
          return claims.length
        })
      })
    })
  )
}
