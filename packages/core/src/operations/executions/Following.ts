import { Clock, Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { HistoryStore, Transactions } from "../../accounting/history/index.ts"
import { type Hash32, UnitOfWork } from "../../foundation/primitives/index.ts"
import { waitSinceMs } from "../../foundation/work/index.ts"
import { ArrivalObserver, newlyRecorded } from "./ArrivalObserver.ts"
import { type Execution, stageOf } from "./Execution.ts"
import { type ClaimedExecution, ExecutionStore } from "./ExecutionStore.ts"
import { FollowLease } from "./Executions.ts"
import { type Move, moveOf } from "./moves.ts"
import { withMovedReservation } from "./reservation/movedReservation.ts"
import { type Stage, Stages, type Step, type Work } from "./Stage.ts"

/**
 * Maximum duration of a step as a fraction of the lease, so that the worker still holds the claim when the step ends.
 */
const STEP_SHARE = 0.8
/**
 * Number of executions that one worker runs concurrently. It claims no more, because a waiting one could outlast its
 * lease.
 */
const CONCURRENCY = 16
/** The delay before the next request to an upstream that did not respond. */
const RETRY_WAIT = { shortestMs: 1_000, longestMs: 30_000 }
/** Maximum age of an acceptance for claims of type NEW. */
const NEW_MS = 15_000
/**
 * Delay until a process that knows the stage may claim the execution: versions of this service may run concurrently.
 */
const UNKNOWN_STAGE_MS = 30_000

/** Runs accepted quotes through their stages: claims due executions, runs their stage, and stores the result. */
export class Following extends Context.Service<
  Following,
  {
    /**
     * Claims due executions and runs one step of each. Returns their number. NEW only claims what was accepted within
     * the last 15 seconds, newest first, so that it does not queue behind thousands of older ones.
     */
    readonly followDue: (worker: string, which?: "ALL" | "NEW") => Effect.Effect<number>
    /** Makes the executions of these user operations due immediately, because their state may have changed. */
    readonly wake: (operations: ReadonlyArray<Hash32>) => Effect.Effect<void>
  }
>()("@countersign/core/executions/Following") {
  static readonly layer = Layer.effect(
    Following,
    Effect.gen(function* () {
      const store = yield* ExecutionStore
      const history = yield* HistoryStore
      const transactions = yield* Transactions
      const unitOfWork = yield* UnitOfWork
      const leaseMs = Duration.toMillis(yield* FollowLease)
      const notify = yield* ArrivalObserver
      const stages: ReadonlyMap<string, Stage> = new Map((yield* Stages).map((stage) => [stage.name, stage]))

      const transactionOf = ({ id, projectId }: Execution) =>
        Effect.flatMap(
          history.find(projectId, id),
          Option.match({
            onNone: () => Effect.die(new Error(`Execution ${id} has no transaction`)),
            onSome: Effect.succeed
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

      /** Stores a move and the change of its transaction together, unless another worker was faster. */
      const make = (claim: ClaimedExecution, { also, change, dueAt, execution, isReported }: Move) =>
        unitOfWork.run(
          Effect.gen(function* () {
            const before = yield* transactionOf(execution)
            const after = change(before)
            const moved = withMovedReservation(execution, after, dueAt === null)
            if (!(yield* store.move(moved, claim.version, dueAt))) return
            yield* isReported ? transactions.change(before, after) : transactions.amend(after)
            yield* also
            // The chain watcher recognizes the wallet's own operations, and waits until they are recorded.
            if (stageOf(claim.execution).intent === null) yield* notify(newlyRecorded(before, after))
            yield* Effect.logInfo("execution moved", {
              stage: stageOf(execution).name,
              status: after.status,
              substatus: after.substatus,
              hasEnded: dueAt === null
            })
          })
        )

      const giveBack = Effect.fnUntraced(function* ({ execution }: ClaimedExecution, worker: string, afterMs: number) {
        const now = yield* DateTime.now
        yield* store.reschedule(execution.id, worker, DateTime.add(now, { milliseconds: afterMs }))
      })

      const wait = (afterMs: number): Step => ({ _tag: "Wait", afterMs })

      const retry = ({ execution: { acceptedAt } }: ClaimedExecution) =>
        Effect.map(DateTime.now, (now) => wait(waitSinceMs(acceptedAt, now, RETRY_WAIT)))

      const stepOf = Effect.fnUntraced(function* (claim: ClaimedExecution) {
        const work = workOf(claim, yield* DateTime.now)
        const stage = stages.get(work.stage.name)
        if (stage === undefined) {
          yield* Effect.logError("an execution is in a stage that this process does not know", {
            stage: work.stage.name
          })
          return wait(UNKNOWN_STAGE_MS)
        }
        return yield* stage.step(work)
      })

      const follow = Effect.fnUntraced(function* (claim: ClaimedExecution, worker: string) {
        const step = yield* stepOf(claim).pipe(
          Effect.catchTag("UPSTREAM_UNAVAILABLE", (error) =>
            Effect.andThen(
              Effect.logWarning("an execution waits for an upstream", { reason: error.message }),
              retry(claim)
            )
          ),
          Effect.timeoutOrElse({
            duration: leaseMs * STEP_SHARE,
            orElse: () => Effect.andThen(Effect.logWarning("a step took too long and was cut off"), retry(claim))
          }),
          Effect.onInterrupt(() => giveBack(claim, worker, 0))
        )
        if (step._tag === "Wait") return yield* giveBack(claim, worker, step.afterMs)
        const move = moveOf(claim.execution, step, stages, yield* DateTime.now)
        if (move !== null) yield* make(claim, move)
      })

      return Following.of({
        wake: (operations) => Effect.flatMap(DateTime.now, (now) => store.wake(operations, now)),
        followDue: Effect.fnUntraced(function* (worker, which = "ALL") {
          const nowMs = yield* Clock.currentTimeMillis
          const claims = yield* store.claim({
            worker,
            now: DateTime.makeUnsafe(nowMs),
            leaseUntil: DateTime.makeUnsafe(nowMs + leaseMs),
            limit: CONCURRENCY,
            ...(which === "NEW" ? { acceptedAfter: DateTime.makeUnsafe(nowMs - NEW_MS) } : {})
          })
          yield* Effect.forEach(
            claims,
            (claim) =>
              follow(claim, worker).pipe(
                Effect.catchCause((cause) => Effect.logError("following an execution failed", cause)),
                Effect.annotateLogs({ quoteId: claim.quote.id, transactionId: claim.execution.id })
              ),
            { concurrency: CONCURRENCY, discard: true }
          )
          return claims.length
        })
      })
    })
  )
}
