import { PastPrices } from "@countersign/core/accounting/market-data"
import { TaxRunStore, TaxRuns, type TaxSchedule, TaxScheduleStore } from "@countersign/core/accounting/tax"
import { aTaxSchedule } from "@countersign/core/contracts/accounting/tax/TaxScheduleStore"
import { EventLog } from "@countersign/core/tenancy/events"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { afterAll } from "vitest"
import { SmtpMailer } from "../../src/outbound/mail/index.ts"
import { NodeEntropy } from "../../src/service/node/index.ts"
import { ListedTokenCatalog } from "../../src/tokens/catalog/index.ts"
import { startMailServer } from "../mail/testMailServer.ts"
import { layerTemporarySqlite, sharedLayer } from "../support/databases.ts"

/** Tests tax runs with a real mail server that rejects some mails. */

const noPastPrices = Layer.mock(PastPrices, {
  prices: (requests) => Effect.succeed(requests.map(() => null)),
  rate: () => Effect.succeed(null)
})

const server = await startMailServer()
afterAll(() => server.close())

const mailer = SmtpMailer.layer({ url: Redacted.make(server.url), from: "tax@countersign.example" })
const service = TaxRuns.layer.pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      mailer,
      noPastPrices,
      NodeEntropy.layer,
      ListedTokenCatalog.layer(() => true)
    )
  ),
  Layer.provideMerge(sharedLayer(layerTemporarySqlite))
)

const now = DateTime.makeUnsafe("2026-11-02T00:00:00Z")

layer(service)("Tax runs with a mail server", (it) => {
  const insertSchedule = Effect.gen(function* () {
    yield* TestClock.setTime(DateTime.toEpochMillis(now))
    const schedule = aTaxSchedule({ nextEndAt: DateTime.makeUnsafe("2026-11-01T03:00:00Z") })
    yield* TaxScheduleStore.use((store) => store.insert(schedule))
    return schedule
  })
  const runRound = TaxRuns.use((runs) => Effect.andThen(runs.openDueRuns, runs.deliverDueRuns("a")))
  const runOf = ({ id, projectId }: TaxSchedule) =>
    TaxRunStore.use((runs) => Effect.map(runs.list(projectId, id, 1), ([run]) => run!))

  it.effect("retry after a temporary rejection until the server accepts the mail, which is sent once", () =>
    Effect.gen(function* () {
      const schedule = yield* insertSchedule
      server.refuse({ to: "DATA", code: 451 })
      yield* runRound
      const refusedRun = yield* runOf(schedule)
      assert.deepStrictEqual(
        [refusedRun.status, refusedRun.lastError],
        ["PENDING", "the mail server rejected the email with SMTP status 451"]
      )
      const { troubled } = yield* TaxRunStore.use((runs) => runs.readBacklog(now))
      assert.deepStrictEqual(
        troubled.map((run) => run.id),
        [refusedRun.id]
      )
      server.refuse(null)
      yield* TestClock.adjust("1 minute")
      yield* runRound
      assert.strictEqual((yield* runOf(schedule)).status, "DELIVERED")
      assert.deepStrictEqual(
        server.mails.map(({ messageId }) => messageId),
        [`<${refusedRun.id}@countersign.example>`]
      )
    })
  )

  it.effect("end after a permanent rejection, and report it without the address", () =>
    Effect.gen(function* () {
      const schedule = yield* insertSchedule
      server.refuse({ to: "RCPT TO", code: 550 })
      yield* runRound
      const run = yield* runOf(schedule)
      assert.deepStrictEqual([run.status, run.attempts], ["FAILED", 1])
      const position = { at: DateTime.makeUnsafe(0), id: "" }
      const [event] = yield* EventLog.use((log) =>
        log.read({ projectId: schedule.projectId, after: position, limit: 10 })
      )
      assert.strictEqual(event?.type, "tax_export.failed")
      assert.notInclude(event!.snapshot, "@")
      const { troubled } = yield* TaxRunStore.use((runs) => runs.readBacklog(now))
      assert.deepStrictEqual(
        troubled.map(({ status }) => status),
        ["FAILED"]
      )
    })
  )
})
