import { sandboxDatabaseFile } from "@countersign/adapters/storage/home"
import { layerSqlite } from "@countersign/adapters/storage/kysely"
import { aQuote } from "@countersign/core/contracts/operations/quotes/QuoteStore"
import { anEvent } from "@countersign/core/contracts/tenancy/webhooks/WebhookEndpointStore"
import { QuoteStore } from "@countersign/core/operations/quotes"
import { EventOutbox } from "@countersign/core/tenancy/events"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { assertCode, jsonOf, removeHome, run, temporaryHome } from "./support/commandLine.ts"

const home = temporaryHome()
afterAll(() => removeHome(home))

/** Settings of a service. The commands make no requests to this node. */
const settings = { RPC_URL_1: "http://127.0.0.1:1" }
const runPrune = (words: ReadonlyArray<string>, extra: Readonly<Record<string, string>> = {}) =>
  run(home, ["db", "prune", ...words], { ...settings, ...extra })

const daysAgo = (days: number) => Effect.map(DateTime.now, (now) => DateTime.subtract(now, { days }))

/** Inserts three expired quotes, a signed quote, and three events without a subscriber. */
const insertExpiredRows = Effect.gen(function* () {
  const quotes = yield* QuoteStore
  for (const days of [3, 8, 9]) yield* quotes.insert([aQuote({ expiresAt: yield* daysAgo(days) })])
  const acceptedQuote = aQuote({ expiresAt: yield* daysAgo(100) })
  yield* quotes.insert([acceptedQuote])
  yield* quotes.accept(acceptedQuote.projectId, acceptedQuote.id, yield* daysAgo(100))
  for (const days of [29, 31, 40]) {
    const eventAt = yield* daysAgo(days)
    yield* EventOutbox.use((outbox) => outbox.append(anEvent({ at: eventAt })))
  }
})

const expectedTable = (heading: string, quotes: number, events: number) =>
  [
    `KIND                   ${heading}`,
    `unsigned quotes        ${quotes}`,
    "fiat quotes            0",
    "webhook deliveries     0",
    `events                 ${events}`,
    "idempotency responses  0",
    "rate windows           0",
    "unpaid gas             0",
    "archived executions    0",
    ""
  ].join("\n")

describe("db prune", () => {
  it("counts rows, removes them, and then has nothing to remove", async () => {
    await Effect.runPromise(Effect.provide(insertExpiredRows, layerSqlite(sandboxDatabaseFile(home))))
    const dryRunOutcome = await runPrune(["--dry-run"])
    assertCode(dryRunOutcome, 0)
    assert.strictEqual(dryRunOutcome.out, expectedTable("DUE", 2, 2))
    const dueCounts = {
      quotes: 2,
      fiatQuotes: 0,
      deliveries: 0,
      events: 2,
      idempotencyResponses: 0,
      rateWindows: 0,
      unpaidGas: 0,
      executions: 0
    }
    assert.deepStrictEqual(jsonOf(await runPrune(["--dry-run", "--json"])), { due: dueCounts })
    assert.deepStrictEqual(jsonOf(await runPrune(["--json"])), { removed: dueCounts })
    const secondResult = await runPrune([])
    assertCode(secondResult, 0)
    assert.strictEqual(secondResult.out, expectedTable("REMOVED", 0, 0))
  })

  it("follows the settings, and rejects invalid ones", async () => {
    const stricterSettings = { RETENTION_QUOTES_DAYS: "2.5", RETENTION_DELIVERIES_DAYS: "28" }
    const { due } = jsonOf(await runPrune(["--dry-run", "--json"], stricterSettings))
    assert.deepStrictEqual([due.quotes, due.events], [1, 1])
    const refusal = await runPrune([], { RETENTION_QUOTES_DAYS: "soon" })
    assertCode(refusal, 2)
    assert.strictEqual(
      refusal.err,
      "RETENTION_QUOTES_DAYS is not a number of days from 0.1 to 36500. `countersign serve --help` lists the settings.\n"
    )
  })
})
