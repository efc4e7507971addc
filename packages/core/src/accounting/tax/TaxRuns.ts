import { Context, DateTime, Effect, Layer } from "effect"
import { Entropy, UnitOfWork } from "../../foundation/primitives/index.ts"
import type { TokenCatalog } from "../../foundation/tokens/index.ts"
import { EventOutbox } from "../../tenancy/events/index.ts"
import { Mailer } from "../../tenancy/mail/index.ts"
import type { WalletStore } from "../../wallets/registry/index.ts"
import type { HistoryStore } from "../history/index.ts"
import type { PastPrices } from "../market-data/index.ts"
import { dataSetOf } from "./dataSetOf.ts"
import { monthEndingAt, nextMonthStart, periodOf } from "./Period.ts"
import { retryDelayMs } from "./runPolicy.ts"
import { type ClaimedRun, TaxRunStore } from "./TaxRunStore.ts"
import type { TaxRun, TaxSchedule } from "./TaxSchedule.ts"
import { TaxScheduleStore } from "./TaxScheduleStore.ts"
import { runEndedEvent } from "./taxEvent.ts"
import { taxMail } from "./taxMail.ts"

/** Delay after the end of a month. It is long enough to record the last blocks of the month. */
export const SETTLING_MINUTES = 15

const OPENED_PER_BATCH = 100
const CLAIMED_PER_BATCH = 8
/** Duration of a claim. After it, another worker may claim the run. */
const LEASE_MS = 5 * 60_000
/**
 * Maximum duration of an attempt. It is shorter than the claim, so that no other worker sends the same email
 * concurrently.
 */
const ATTEMPT_MS = 3 * 60_000

interface Failure {
  readonly reason: string
  readonly isPermanent: boolean
}

const temporaryFailure = (reason: string): Failure => ({ reason, isPermanent: false })

/** Returns the run after an attempt. `failure` is null if the attempt succeeded. */
export const runAfter = (run: TaxRun, failure: Failure | null, now: DateTime.Utc): TaxRun => {
  const attempts = run.attempts + 1
  const endedRun = { ...run, attempts, nextAttemptAt: null, lastError: failure?.reason ?? null, endedAt: now }
  if (failure === null) return { ...endedRun, status: "DELIVERED" }
  const delayMs = failure.isPermanent ? null : retryDelayMs(attempts)
  if (delayMs === null) return { ...endedRun, status: "FAILED" }
  return { ...endedRun, nextAttemptAt: DateTime.add(now, { milliseconds: delayMs }), endedAt: null }
}

/** Creates and sends the monthly exports of schedules. Several processes may run it concurrently. */
export class TaxRuns extends Context.Service<
  TaxRuns,
  {
    /** Stores the runs of months that ended at least `SETTLING_MINUTES` ago, including missed months. */
    readonly openDueRuns: Effect.Effect<void>
    /** Claims due runs and attempts each one once. Returns the number of claimed runs. */
    readonly deliverDueRuns: (worker: string) => Effect.Effect<number>
  }
>()("@countersign/core/tax/TaxRuns") {
  static readonly layer = Layer.effect(
    TaxRuns,
    Effect.gen(function* () {
      const schedules = yield* TaxScheduleStore
      const runs = yield* TaxRunStore
      const mailer = yield* Mailer
      const entropy = yield* Entropy
      const outbox = yield* EventOutbox
      const unitOfWork = yield* UnitOfWork
      const context = yield* Effect.context<HistoryStore | PastPrices | TokenCatalog | WalletStore>()

      const openRun = Effect.fnUntraced(function* (schedule: TaxSchedule) {
        const { id: scheduleId, nextEndAt, projectId, timezone, walletAddress } = schedule
        const now = yield* DateTime.now
        const run: TaxRun = {
          id: `tax_${(yield* entropy.uuid).replaceAll("-", "")}`,
          scheduleId,
          projectId,
          walletAddress,
          timezone,
          month: monthEndingAt(timezone, nextEndAt),
          status: "PENDING",
          attempts: 0,
          nextAttemptAt: DateTime.add(nextEndAt, { minutes: SETTLING_MINUTES }),
          lastError: null,
          createdAt: now,
          endedAt: null
        }
        return yield* schedules.openRun(schedule, run, nextMonthStart(timezone, nextEndAt))
      })

      /**
       * Stores the next due run of a schedule. Returns whether it was stored. A failure, such as a time zone that the
       * runtime no longer supports, does not block other schedules.
       */
      const tryOpenRun = (schedule: TaxSchedule): Effect.Effect<boolean> =>
        Effect.catchDefect(openRun(schedule), (defect) =>
          Effect.as(
            Effect.logError("the run of a tax export schedule could not be created", { id: schedule.id, defect }),
            false
          )
        )

      const openDue = Effect.gen(function* () {
        for (;;) {
          const endedBy = DateTime.subtract(yield* DateTime.now, { minutes: SETTLING_MINUTES })
          const dueSchedules = yield* schedules.listDue(endedBy, OPENED_PER_BATCH)
          const openResults = yield* Effect.forEach(dueSchedules, tryOpenRun)
          if (!openResults.includes(true)) return
        }
      })

      const send = Effect.fnUntraced(function* ({ run, schedule }: ClaimedRun) {
        const { emailCustomization: customization, email: to } = schedule
        const period = periodOf(run.month, run.timezone)
        const dataSet = yield* Effect.provide(dataSetOf(run.projectId, run.walletAddress, period), context)
        yield* mailer.send(taxMail(dataSet, { key: run.id, at: run.createdAt, to, customization }))
      })

      /**
       * Attempts a run. Returns the failure, or null for success. A defect also counts as a failed attempt, so that it
       * is not retried without limit.
       */
      const attempt = (claimedRun: ClaimedRun): Effect.Effect<Failure | null> =>
        send(claimedRun).pipe(
          Effect.as(null),
          Effect.catchTag("MailNotSent", ({ isPermanent, reason }) => Effect.succeed({ reason, isPermanent })),
          Effect.catchTag("UPSTREAM_UNAVAILABLE", ({ upstream }) =>
            Effect.succeed(temporaryFailure(`${upstream} did not respond, so prices may be missing`))
          ),
          Effect.timeoutOrElse({
            duration: ATTEMPT_MS,
            orElse: () => Effect.succeed(temporaryFailure("the attempt exceeded its time limit"))
          }),
          Effect.catchDefect((defect) =>
            Effect.as(
              Effect.logError("a tax export failed", defect),
              temporaryFailure("an internal error of this service")
            )
          )
        )

      const record = (before: TaxRun, run: TaxRun, worker: string, now: DateTime.Utc) =>
        unitOfWork.run(
          Effect.gen(function* () {
            const isStillClaimed = yield* runs.record(run, worker)
            if (isStillClaimed && run.status !== "PENDING") yield* outbox.append(runEndedEvent(run, before.status, now))
          })
        )

      const deliver = Effect.fn("TaxRuns.deliver")(function* (claimedRun: ClaimedRun, worker: string) {
        const failure = yield* Effect.onInterrupt(attempt(claimedRun), () =>
          runs.release(claimedRun.run.projectId, claimedRun.run.id, worker)
        )
        const now = yield* DateTime.now
        const run = runAfter(claimedRun.run, failure, now)
        yield* Effect.uninterruptible(record(claimedRun.run, run, worker, now))
        const { id, month, status } = run
        yield* failure === null
          ? Effect.logInfo("tax export sent", { id, month })
          : Effect.logWarning("tax export not sent", { id, month, status, reason: failure.reason })
      })

      return TaxRuns.of({
        openDueRuns: openDue,
        deliverDueRuns: Effect.fnUntraced(function* (worker) {
          const now = yield* DateTime.now
          const leaseUntil = DateTime.add(now, { milliseconds: LEASE_MS })
          const claimedRuns = yield* runs.claim({ worker, now, leaseUntil, limit: CLAIMED_PER_BATCH })
          yield* Effect.forEach(claimedRuns, (each) => deliver(each, worker), {
            concurrency: CLAIMED_PER_BATCH,
            discard: true
          })
          return claimedRuns.length
        })
      })
    })
  )
}
