import { randomUUID } from "node:crypto"
import { aQuote as anEmptyQuote, anOperationIntent } from "@countersign/core/contracts/operations/quotes/QuoteStore"
import { HexBytes } from "@countersign/core/foundation/primitives"
import { QuoteStore } from "@countersign/core/operations/quotes"
import { Retention, RetentionStore } from "@countersign/core/tenancy/retention"
import { DateTime, Effect, Fiber, Layer, Option, References } from "effect"
import { sql } from "kysely"
import { Db } from "../src/storage/kysely/index.ts"
import type { Tables } from "../src/storage/kysely/migrations/index.ts"
import { layerTemporaryPostgres, layerTemporarySqlite } from "../test/support/databases.ts"

/**
 * Removes ROWS expired quotes, and ROWS ended deliveries with their events, while new quotes are stored. In addition,
 * each table has ROWS / 4 rows that are not old enough to be removed. Run it with `npm run bench:retention -w
 * packages/adapters`.
 */

const rows = Number(process.env.ROWS ?? 100_000)
const remainingRows = rows / 4
const CHUNK = 200
const DAY_MS = 86_400_000
const callData = HexBytes.make(`0x${"ab".repeat(1_500)}`)

const hash = () => `0x${randomUUID().replaceAll("-", "")}${randomUUID().replaceAll("-", "")}`
const inChunks = <A, E, R>(count: number, insert: (chunk: ReadonlyArray<number>) => Effect.Effect<A, E, R>) =>
  Effect.forEach(
    Array.from({ length: Math.ceil(count / CHUNK) }, (_, chunk) =>
      Array.from({ length: Math.min(CHUNK, count - chunk * CHUNK) }, (_, index) => chunk * CHUNK + index)
    ),
    insert,
    { discard: true }
  )

const aQuote = () => {
  const intent = anOperationIntent()
  return anEmptyQuote({ id: intent.hash, intents: [{ ...intent, operation: { ...intent.operation, callData } }] })
}

/** Inserts copies of one quote, and of one delivery with its event, that are `days` old. */
const fill = Effect.fnUntraced(function* (count: number, days: number) {
  const db = yield* Db
  const quote = aQuote()
  yield* QuoteStore.use((store) => store.insert([quote]))
  const row = Option.getOrThrow(yield* db.first(db.query.selectFrom("quotes").selectAll().where("id", "=", quote.id)))
  yield* db.run(db.query.deleteFrom("quotes").where("id", "=", quote.id))
  const expiresAtMs = DateTime.toEpochMillis(yield* DateTime.now) - days * DAY_MS
  yield* inChunks(count, (chunk) => {
    const quotes = chunk.map((index) => ({ ...row, id: hash(), expires_at: expiresAtMs - index }))
    const operations = quotes.map(({ id, project_id }) => ({ project_id, hash: id, quote_id: id }))
    return Effect.andThen(
      db.run(db.query.insertInto("quotes").values(quotes)),
      db.run(db.query.insertInto("quote_operations").values(operations))
    )
  })
  const endpoint = `whk_${randomUUID()}`
  yield* db.run(
    db.query.insertInto("webhook_endpoints").values({
      id: endpoint,
      project_id: "p",
      url: "https://receiver.example",
      description: "",
      event_types: null,
      secrets: "[]",
      created_at: expiresAtMs,
      disabled_at: null,
      disabled_reason: null,
      failing_since: null
    })
  )
  yield* inChunks(count, (chunk) => {
    const events = chunk.map((index): Tables["events"] => ({
      id: `msg_${randomUUID()}`,
      project_id: "p",
      type: "transaction.completed",
      resource_kind: "transaction",
      resource_id: randomUUID(),
      sequence: 1,
      at: expiresAtMs - index,
      previous_status: null,
      snapshot: row.record.slice(0, 1_500),
      body: row.record.slice(0, 2_000)
    }))
    const deliveries = events.map((event): Tables["webhook_deliveries"] => ({
      id: `dlv_${randomUUID()}`,
      project_id: "p",
      endpoint_id: endpoint,
      event_id: event.id,
      event_type: event.type,
      resource: `transaction:${event.resource_id}`,
      sequence: 1,
      status: "DELIVERED",
      attempts: 1,
      due_at: null,
      claimed_by: null,
      claimed_until: null,
      last_status: 200,
      last_error: null,
      created_at: event.at,
      delivered_at: event.at,
      log: "[]"
    }))
    return Effect.andThen(
      db.run(db.query.insertInto("events").values(events)),
      db.run(db.query.insertInto("webhook_deliveries").values(deliveries))
    )
  })
})

const milliseconds = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const startMs = performance.now()
    return Effect.map(effect, () => performance.now() - startMs)
  })

const quantile = (times: ReadonlyArray<number>, share: number): string =>
  (times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * share)] ?? Number.NaN).toFixed(1)

/** The durations of statements, by type of statement. */
const statements = new Map<string, Array<number>>()
const layerTimedStore = Layer.effect(
  RetentionStore,
  Effect.map(RetentionStore, (store) =>
    RetentionStore.of({
      ...store,
      prune: (kind, before, limit) =>
        Effect.suspend(() => {
          const startMs = performance.now()
          return Effect.tap(store.prune(kind, before, limit), () => {
            const times = statements.get(kind)
            if (times === undefined) statements.set(kind, [performance.now() - startMs])
            else times.push(performance.now() - startMs)
            return Effect.void
          })
        })
    })
  )
)

/** Stores a quote every few milliseconds until it is interrupted. Records the duration of each insertion. */
const storeRepeatedly = (times: Array<number>) =>
  Effect.forever(
    Effect.gen(function* () {
      const store = yield* QuoteStore
      times.push(yield* milliseconds(store.insert([{ ...aQuote(), expiresAt: yield* DateTime.now }])))
      yield* Effect.sleep(3)
    })
  )

const measureRetention = (name: string) =>
  Effect.gen(function* () {
    statements.clear()
    yield* fill(rows, 100)
    yield* fill(remainingRows, 1)
    const db = yield* Db
    yield* db.run(sql`analyze`)
    const baselineTimes: Array<number> = []
    const previous = yield* Effect.forkChild(storeRepeatedly(baselineTimes))
    yield* Effect.sleep("3 seconds")
    yield* Fiber.interrupt(previous)
    const writeDurations: Array<number> = []
    const during = yield* Effect.forkChild(storeRepeatedly(writeDurations))
    const startMs = performance.now()
    const removedCounts = yield* Retention.use((retention) => retention.pruneDue)
    const seconds = (performance.now() - startMs) / 1_000
    yield* Fiber.interrupt(during)
    console.log(`${name}: ${JSON.stringify(removedCounts)} in ${seconds.toFixed(1)} s`)
    for (const [kind, times] of statements) {
      const total = times.reduce((sum, time) => sum + time, 0) / 1_000
      console.log(
        `  ${kind}: ${times.length} statements, ${total.toFixed(1)} s, median ${quantile(times, 0.5)} ms, largest ${quantile(times, 1)} ms`
      )
    }
    for (const [when, times] of [
      ["before", baselineTimes],
      ["meanwhile", writeDurations]
    ] as const) {
      console.log(
        `  storing a quote ${when}: median ${quantile(times, 0.5)} ms, 99 % ${quantile(times, 0.99)} ms, largest ${quantile(times, 1)} ms`
      )
    }
  }).pipe(Effect.provide(Retention.layer.pipe(Layer.provide(layerTimedStore))))

for (const [name, database] of [
  ["SQLite", layerTemporarySqlite],
  ["Postgres", layerTemporaryPostgres]
] as const) {
  await measureRetention(name).pipe(
    Effect.provide(database),
    Effect.provideService(References.MinimumLogLevel, "Warn"),
    Effect.runPromise
  )
}
