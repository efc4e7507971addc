import { HistoryStore } from "@countersign/core/accounting/history"
import { PastPrices } from "@countersign/core/accounting/market-data"
import { TaxRunStore, TaxRuns, TaxScheduleStore } from "@countersign/core/accounting/tax"
import { aMovement, aTransaction } from "@countersign/core/contracts/accounting/history/HistoryStore"
import { aTaxSchedule } from "@countersign/core/contracts/accounting/tax/TaxScheduleStore"
import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { EventLog } from "@countersign/core/tenancy/events"
import { type Mail, Mailer, MailNotSent } from "@countersign/core/tenancy/mail"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Fiber, Layer, Logger, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { waitUntilEffect } from "../../../core/test/support/untilEffect.ts"
import { NodeEntropy } from "../../src/service/node/index.ts"
import { ListedTokenCatalog } from "../../src/tokens/catalog/index.ts"
import { layerTemporaryPostgres, layerTemporarySqlite, sharedLayer } from "../support/databases.ts"

const instantOf = (text: string) => DateTime.makeUnsafe(text)

/** The result of the next mails: accepted, accepted before the worker is killed, without a response, or rejected. */
type MailResult = "taken" | "taken and killed" | "silent" | MailNotSent

const makeFixture = () => {
  const mails: Array<Mail> = []
  const logLines: Array<string> = []
  let mailResult: MailResult = "taken"
  let isWaiting = false
  let arePricesKnown = true
  const mailer = Layer.succeed(
    Mailer,
    Mailer.of({
      problem: null,
      send: (mail) =>
        Effect.suspend(() => {
          if (mailResult instanceof MailNotSent) return Effect.fail(mailResult)
          if (mailResult === "silent") {
            isWaiting = true
            return Effect.never
          }
          mails.push(mail)
          return mailResult === "taken" ? Effect.void : Effect.interrupt
        })
    })
  )
  const prices = Layer.succeed(
    PastPrices,
    PastPrices.of({
      prices: (requests) => Effect.succeed(requests.map(() => null)),
      rate: () =>
        arePricesKnown
          ? Effect.succeed(null)
          : Effect.fail(new UpstreamUnavailable({ upstream: "Prices", reason: "down" }))
    })
  )
  const log = Logger.layer([Logger.map(Logger.formatJson, (line) => void logLines.push(line))])
  return {
    mails,
    logLines,
    meets: (next: MailResult) => {
      mailResult = next
      isWaiting = false
    },
    /** Returns whether a mail was sent and the mail server has not responded. */
    isWaiting: () => isWaiting,
    knowPrices: (areKnown: boolean) => {
      arePricesKnown = areKnown
    },
    layer: Layer.mergeAll(
      mailer,
      prices,
      NodeEntropy.layer,
      ListedTokenCatalog.layer(() => true),
      log
    )
  }
}

const refusalOf = (code: number, isPermanent: boolean) =>
  new MailNotSent({ reason: `the mail server refused the receiver with ${code}`, isPermanent })

/** Stores a deposit in October. */
const insertDeposit = ({ projectId, walletAddress }: ReturnType<typeof aTaxSchedule>) =>
  HistoryStore.use((store) =>
    store.insert(
      aTransaction({
        projectId,
        walletAddress,
        type: "CRYPTO_DEPOSIT",
        status: "COMPLETED",
        executedAt: instantOf("2026-10-05T00:00:00Z"),
        movements: [aMovement({ account: walletAddress, direction: "IN" })]
      })
    )
  )

for (const [name, database] of [
  ["SQLite", sharedLayer(layerTemporarySqlite)],
  ["Postgres", sharedLayer(layerTemporaryPostgres)]
] as const) {
  const fixture = makeFixture()
  const service = TaxRuns.layer.pipe(Layer.provideMerge(fixture.layer), Layer.provideMerge(database))

  layer(service)(`TaxRuns on ${name}`, (it) => {
    /** Stores a new schedule at a time, and removes the schedules of other tests. */
    const prepareScheduleAt = Effect.fnUntraced(function* (
      now: string,
      fields: Parameters<typeof aTaxSchedule>[0] = {}
    ) {
      yield* TestClock.setTime(instantOf("2100-01-01T00:00:00Z").epochMilliseconds)
      const schedules = yield* TaxScheduleStore
      const runs = yield* TaxRunStore
      const remainingSchedules = yield* schedules.listDue(instantOf("9000-01-01T00:00:00Z"), 1_000)
      yield* Effect.forEach(remainingSchedules, ({ projectId, walletAddress }) =>
        schedules.remove(projectId, walletAddress)
      )
      yield* TestClock.setTime(instantOf(now).epochMilliseconds)
      fixture.meets("taken")
      fixture.knowPrices(true)
      fixture.mails.length = 0
      const schedule = aTaxSchedule({ nextEndAt: instantOf("2026-11-01T03:00:00Z"), ...fields })
      yield* schedules.insert(schedule)
      return { schedule, list: runs.list(schedule.projectId, schedule.id, 100) }
    })

    const runRound = (worker = "a") =>
      TaxRuns.use((runs) => Effect.andThen(runs.openDueRuns, runs.deliverDueRuns(worker)))

    const eventsOf = Effect.fnUntraced(function* (projectId: ReturnType<typeof aTaxSchedule>["projectId"]) {
      const log = yield* EventLog
      return yield* log.read({ projectId, after: { at: instantOf("2000-01-01T00:00:00Z"), id: "" }, limit: 100 })
    })

    it.effect("mails a month once, after it has ended in the schedule's time zone", () =>
      Effect.gen(function* () {
        const { list: listRuns, schedule } = yield* prepareScheduleAt("2026-11-01T03:14:59Z")
        assert.strictEqual(yield* runRound(), 0)
        yield* TestClock.setTime(instantOf("2026-11-01T03:15:00Z").epochMilliseconds)
        assert.strictEqual(yield* runRound(), 1)
        assert.strictEqual(yield* runRound(), 0)
        assert.strictEqual(fixture.mails.length, 1)
        const [run] = yield* listRuns
        assert.deepStrictEqual([run?.status, run?.month, run?.attempts], ["DELIVERED", "2026-10", 1])
        assert.strictEqual(fixture.mails[0]?.key, run?.id)
        assert.strictEqual(Redacted.value(fixture.mails[0]!.to), "somebody@example.com")
        const [event, ...others] = yield* eventsOf(schedule.projectId)
        assert.deepStrictEqual([event?.type, event?.resource.id, others.length], ["tax_export.delivered", run?.id, 0])
        assert.notInclude(event!.snapshot, "example.com")
      })
    )

    it.effect("catches up with every missed month, each in its own mail", () =>
      Effect.gen(function* () {
        const { list: listRuns } = yield* prepareScheduleAt("2027-02-10T00:00:00Z")
        yield* runRound()
        assert.deepStrictEqual(
          (yield* listRuns).map(({ month, status }) => [month, status]),
          ["2027-01", "2026-12", "2026-11", "2026-10"].map((month) => [month, "DELIVERED"])
        )
        assert.deepStrictEqual(
          fixture.mails.map(({ subject }) => subject.slice(0, 21)).toSorted(),
          ["2026-10", "2026-11", "2026-12", "2027-01"].map((month) => `Tax export of ${month}`)
        )
      })
    )

    it.effect("mails each month once with eight concurrent processes", () =>
      Effect.gen(function* () {
        const { list: listRuns } = yield* prepareScheduleAt("2026-12-02T00:00:00Z")
        yield* Effect.forEach(["a", "b", "c", "d", "e", "f", "g", "h"], runRound, { concurrency: 8 })
        assert.deepStrictEqual(
          (yield* listRuns).map(({ month }) => month),
          ["2026-11", "2026-10"]
        )
        assert.strictEqual(fixture.mails.length, 2)
        assert.strictEqual(new Set(fixture.mails.map(({ key }) => key)).size, 2)
      })
    )

    it.effect("sends the same mail again after a kill between the send and its record", () =>
      Effect.gen(function* () {
        const { list: listRuns, schedule } = yield* prepareScheduleAt("2026-11-02T00:00:00Z")
        const runs = yield* TaxRunStore
        yield* TaxRuns.use(({ openDueRuns: openDue }) => openDue)
        // A worker claims the run, and dies before it releases its claim.
        yield* runs.claim({
          worker: "dead",
          now: instantOf("2026-11-02T00:00:00Z"),
          leaseUntil: instantOf("2026-11-02T00:05:00Z"),
          limit: 1
        })
        assert.strictEqual(yield* runRound("heir"), 0)
        yield* TestClock.setTime(instantOf("2026-11-02T00:05:00Z").epochMilliseconds)
        assert.strictEqual(yield* runRound("heir"), 1)
        const [run] = yield* listRuns
        assert.deepStrictEqual(
          fixture.mails.map(({ at: date, key }) => [key, date]),
          [[run!.id, run!.createdAt]]
        )
        assert.strictEqual((yield* eventsOf(schedule.projectId)).length, 1)
      })
    )

    it.effect("releases a run that is interrupted", () =>
      Effect.gen(function* () {
        const { list: listRuns } = yield* prepareScheduleAt("2026-11-02T00:00:00Z")
        fixture.meets("taken and killed")
        yield* Effect.exit(runRound("stopped"))
        fixture.meets("taken")
        assert.strictEqual(yield* runRound("next"), 1)
        assert.strictEqual((yield* listRuns)[0]?.status, "DELIVERED")
        assert.strictEqual(fixture.mails.length, 2)
        assert.strictEqual(new Set(fixture.mails.map(({ key }) => key)).size, 1)
      })
    )

    it.effect("retries after temporary rejections with growing delays, and then reports the failure", () =>
      Effect.gen(function* () {
        const { list: listRuns, schedule } = yield* prepareScheduleAt("2026-11-02T00:00:00Z")
        fixture.meets(refusalOf(451, false))
        const delaysMinutes: Array<number> = []
        for (;;) {
          yield* runRound()
          const [run] = yield* listRuns
          if (run!.nextAttemptAt === null) break
          const now = yield* DateTime.now
          delaysMinutes.push((run!.nextAttemptAt.epochMilliseconds - now.epochMilliseconds) / 60_000)
          assert.strictEqual((yield* eventsOf(schedule.projectId)).length, 0)
          yield* TestClock.setTime(run!.nextAttemptAt.epochMilliseconds - 1)
          assert.strictEqual(yield* runRound(), 0)
          yield* TestClock.setTime(run!.nextAttemptAt.epochMilliseconds)
        }
        assert.deepStrictEqual(delaysMinutes, [1, 5, 30, 120, 300, 600, 840, 1_200, 1_440])
        const [run] = yield* listRuns
        assert.deepStrictEqual(
          [run?.status, run?.attempts, run?.lastError],
          ["FAILED", 10, "the mail server refused the receiver with 451"]
        )
        const events = yield* eventsOf(schedule.projectId)
        assert.deepStrictEqual(
          events.map(({ previousStatus, type }) => [type, previousStatus]),
          [["tax_export.failed", "PENDING"]]
        )
        assert.isTrue(fixture.logLines.some((line) => line.includes(run!.id)))
        assert.notInclude(fixture.logLines.join(), "somebody@example.com")
      })
    )

    it.effect("stops immediately after a permanent rejection, and continues with the next month", () =>
      Effect.gen(function* () {
        const { list: listRuns } = yield* prepareScheduleAt("2026-11-02T00:00:00Z")
        fixture.meets(refusalOf(550, true))
        yield* runRound()
        assert.deepStrictEqual(
          (yield* listRuns).map(({ attempts, status }) => [status, attempts]),
          [["FAILED", 1]]
        )
        fixture.meets("taken")
        yield* TestClock.setTime(instantOf("2026-12-02T00:00:00Z").epochMilliseconds)
        yield* runRound()
        assert.deepStrictEqual(
          (yield* listRuns).map(({ month, status }) => [month, status]),
          [
            ["2026-11", "DELIVERED"],
            ["2026-10", "FAILED"]
          ]
        )
      })
    )

    it.effect("mails nothing while values are missing that may be available later", () =>
      Effect.gen(function* () {
        const { list: listRuns, schedule } = yield* prepareScheduleAt("2026-11-02T00:00:00Z")
        yield* insertDeposit(schedule)
        fixture.knowPrices(false)
        yield* runRound()
        const [waitingRun] = yield* listRuns
        assert.deepStrictEqual([waitingRun?.status, fixture.mails.length], ["PENDING", 0])
        assert.match(waitingRun?.lastError ?? "", /^Prices did not respond/u)
        fixture.knowPrices(true)
        yield* TestClock.setTime(waitingRun!.nextAttemptAt!.epochMilliseconds)
        yield* runRound()
        assert.strictEqual(fixture.mails.length, 1)
        assert.include(fixture.mails[0]!.text, "1 of the movements have no value")
      })
    )

    it.effect("waits a few minutes at most for a server that does not respond", () =>
      Effect.gen(function* () {
        const { list: listRuns } = yield* prepareScheduleAt("2026-11-02T00:00:00Z")
        fixture.meets("silent")
        const fiber = yield* Effect.forkChild(runRound())
        yield* waitUntilEffect(Effect.sync(fixture.isWaiting), (isWaiting) => isWaiting)
        yield* TestClock.adjust("3 minutes")
        yield* Fiber.join(fiber)
        const [run] = yield* listRuns
        assert.deepStrictEqual([run?.status, run?.lastError], ["PENDING", "the attempt exceeded its time limit"])
      })
    )

    it.effect("is not blocked by a schedule whose time zone no longer exists", () =>
      Effect.gen(function* () {
        const { list: listRuns } = yield* prepareScheduleAt("2026-11-02T00:00:00Z")
        const lostSchedule = aTaxSchedule({ timezone: "Mars/Olympus", nextEndAt: instantOf("2026-10-01T00:00:00Z") })
        yield* TaxScheduleStore.use((store) => store.insert(lostSchedule))
        yield* runRound()
        assert.deepStrictEqual(
          (yield* listRuns).map(({ status }) => status),
          ["DELIVERED"]
        )
        assert.isTrue(fixture.logLines.some((line) => line.includes(lostSchedule.id)))
      })
    )

    it.effect("mails nothing for a deleted schedule", () =>
      Effect.gen(function* () {
        const { schedule } = yield* prepareScheduleAt("2026-11-02T00:00:00Z")
        yield* TaxRuns.use(({ openDueRuns: openDue }) => openDue)
        yield* TaxScheduleStore.use((store) => store.remove(schedule.projectId, schedule.walletAddress))
        assert.strictEqual(yield* runRound(), 0)
        assert.strictEqual(fixture.mails.length, 0)
      })
    )
  })
}
