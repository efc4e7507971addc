import { layerSqlite } from "@countersign/adapters/storage/kysely"
import { BitcoinWatch } from "@countersign/core/bitcoin/activity"
import { anExecution } from "@countersign/core/contracts/operations/executions/ExecutionStore"
import {
  anOperatorAccount,
  anOperatorTransaction
} from "@countersign/core/contracts/operations/operator/OperatorTransactionStore"
import { aQuote } from "@countersign/core/contracts/operations/quotes/QuoteStore"
import { aGasEntry } from "@countersign/core/contracts/operations/unpaid-gas/UnpaidGasStore"
import { aPool, aProgress } from "@countersign/core/contracts/trading/pools/PoolIndexStore"
import { aWatchProgress } from "@countersign/core/contracts/wallets/chain-activity/ActivityStore"
import { VerificationSessionStore } from "@countersign/core/identity"
import { ExecutionStore, type StageDescription, Stages } from "@countersign/core/operations/executions"
import { OperatorTransactionStore } from "@countersign/core/operations/operator"
import { QuoteStore } from "@countersign/core/operations/quotes"
import { UnpaidGasStore } from "@countersign/core/operations/unpaid-gas"
import { type TroubledEndpoint, type WebhookBacklog, WebhookBacklogReader } from "@countersign/core/tenancy/webhooks"
import { PoolIndexStore } from "@countersign/core/trading/pools"
import { ActivityStore } from "@countersign/core/wallets/chain-activity"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Fiber, Layer, Logger, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { layerMetrics } from "../src/server/metrics.ts"
import { parsePrometheusText } from "./support/prometheusText.ts"

/** Tests the metrics of pending work, and the metrics that remain while the database does not respond. */

const NOW = Date.UTC(2026, 10, 21)
const secondsAgo = (seconds: number) => DateTime.makeUnsafe(NOW - seconds * 1000)

const bitcoinWatchOff = Layer.succeed(BitcoinWatch, BitcoinWatch.of({ isOn: false, watchDue: Effect.succeed(false) }))
const aStage: StageDescription = { name: "fill", waitsFor: "BRIDGE", awaited: "the fill", normalMs: 60_000 }
const stages = Layer.succeed(Stages, [{ ...aStage, patienceMs: null, step: () => Effect.die("not run") }])
/** Creates a new database per test. */
const makeDatabase = () => Layer.mergeAll(layerSqlite(":memory:"), bitcoinWatchOff, stages)

const noBacklog: WebhookBacklog = { due: 0, oldestDueAt: null, troubled: [] }

const anEndpoint = (disabledAt: DateTime.Utc | null): TroubledEndpoint =>
  ({ endpointId: "whk_1", host: "failing.example", disabledAt }) as TroubledEndpoint

const mockWebhooks = (backlog: Effect.Effect<WebhookBacklog>) =>
  Layer.mock(WebhookBacklogReader, { read: () => backlog })

const mockOperations = (pending: Effect.Effect<never>) => Layer.mock(ExecutionStore, { countPending: () => pending })

const noOperatorAccounts = Layer.mock(OperatorTransactionStore, { listWatchedAccounts: Effect.succeed([]) })

const noGasEntries = Layer.mock(UnpaidGasStore, { readTotals: () => Effect.succeed([]) })

const noWatch = Layer.mock(ActivityStore, { listChains: Effect.succeed([]) })

const noPools = Layer.mock(PoolIndexStore, { list: Effect.succeed([]) })

const noReviews = Layer.mock(VerificationSessionStore, { countPending: () => Effect.succeed([]) })

const scrape = Effect.gen(function* () {
  const app = yield* HttpRouter.toHttpEffect(layerMetrics)
  const request = HttpServerRequest.fromWeb(new Request("http://localhost/metrics"))
  const response = yield* Effect.provideService(app, HttpServerRequest.HttpServerRequest, request)
  assert.strictEqual(response.status, 200)
  return parsePrometheusText(yield* Effect.promise(() => HttpServerResponse.toWeb(response).text()))
}).pipe(Effect.scoped)

const metricNames = [
  "database_up",
  "webhook_deliveries_due",
  "webhook_oldest_due_seconds",
  "webhook_endpoints_failing",
  "webhook_endpoints_disabled"
] as const

const readMetrics = Effect.map(scrape, ({ value }) => metricNames.map((name) => value(name)))

const backlogWithoutDatabase = [0, ...Array.from({ length: metricNames.length - 1 }, () => null)]

/** Hides the expected warnings about late and rejected work from the test output. */
const layerWithoutLogs = Logger.layer([])

describe("GET /metrics", () => {
  it.effect("reports how far the statistics of pools are behind", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW)
      const store = yield* PoolIndexStore
      const [completePool, freshPool, idlePool] = [aPool(), aPool(), aPool()]
      for (const [pool, seconds] of [
        [completePool, 60],
        [freshPool, 30],
        [idlePool, 3_600]
      ] as const) {
        yield* store.recordRequest(pool, secondsAgo(seconds), 10)
      }
      for (let i = 0; i < 2; i++) {
        const claimResult = Option.getOrThrow(yield* store.claim(secondsAgo(0), secondsAgo(-1)))
        const progress = aProgress({ isWhole: true, headSeenAt: NOW - 45_000 })
        yield* store.store(claimResult, { progress, counted: [], recent: null, dueAt: secondsAgo(-60) })
      }
      const { value } = yield* scrape
      assert.strictEqual(value("pools_indexed"), 3)
      assert.strictEqual(value("pools_index_incomplete"), 1)
      assert.strictEqual(value("pools_index_unseen_seconds"), 45)
    }).pipe(Effect.provide(makeDatabase().pipe(Layer.fresh)))
  )

  it.effect("reports how far the watch of each chain is behind", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW)
      const store = yield* ActivityStore
      yield* store.watchChains([137, 10], secondsAgo(0))
      const claimResult = Option.getOrThrow(yield* store.claim([137], secondsAgo(0), secondsAgo(-60)))
      const lastBlock = { ...aWatchProgress().last, number: 90, at: NOW / 1_000 - 20 }
      yield* store.storeProgress(
        claimResult,
        aWatchProgress({ last: lastBlock, headNumber: 100, headSeenAt: NOW - 1_000 })
      )
      const { value } = yield* scrape
      assert.strictEqual(value("watch_blocks_behind", { chain: "137" }), 10)
      assert.strictEqual(value("watch_seconds_behind", { chain: "137" }), 20)
      assert.strictEqual(value("watch_blocks_behind", { chain: "10" }), 0)
    }).pipe(Effect.provide(makeDatabase().pipe(Layer.fresh)))
  )

  it.effect("reports pending operations by stage: how many, how many are late, and how old", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW)
      const quotes = yield* QuoteStore
      const store = yield* ExecutionStore
      const gaugesOf = (kind: string, waits_for: string) =>
        Effect.map(scrape, ({ value }) =>
          ["countersign_pending", "countersign_pending_late", "countersign_pending_oldest_seconds"].map((name) =>
            value(name, { kind, waits_for })
          )
        )
      const fillGauges = gaugesOf("fill", "BRIDGE")
      assert.deepStrictEqual(yield* fillGauges, [0, 0, 0])
      const insertExecution = Effect.fnUntraced(function* (
        name: string,
        acceptedSecondsAgo: number,
        lateAt: DateTime.Utc | null
      ) {
        const quote = aQuote({ stages: [{ name, intent: null, status: "ON_BRIDGE" }] })
        const acceptedAt = secondsAgo(acceptedSecondsAgo)
        const { stages, ...execution } = anExecution({ acceptedAt }, quote)
        const wait = { waitsFor: name === "fill" ? "BRIDGE" : "BANK", awaited: "it", lateAt } as const
        yield* quotes.insert([quote])
        yield* quotes.accept(quote.projectId, quote.id, acceptedAt)
        yield* store.insert({ ...execution, stages: stages.map((stage) => ({ ...stage, wait })) })
        return execution.id
      })
      const oldestId = yield* insertExecution("fill", 240.5, secondsAgo(60))
      yield* insertExecution("fill", 180, secondsAgo(0))
      yield* insertExecution("fill", 60, secondsAgo(-120))
      yield* insertExecution("other-version", 60, null)
      assert.deepStrictEqual(yield* fillGauges, [3, 1, 240.5])
      assert.deepStrictEqual(yield* gaugesOf("other-version", "BANK"), [1, 0, 60])
      yield* TestClock.setTime(NOW + 1)
      assert.deepStrictEqual(yield* fillGauges, [3, 2, 240.501])
      const claimResult = yield* store.claim({
        worker: "follower",
        now: secondsAgo(0),
        leaseUntil: secondsAgo(-30),
        limit: 10
      })
      const { execution, version } = claimResult.find(({ execution: { id } }) => id === oldestId)!
      assert.isTrue(yield* store.update(execution, version, null))
      assert.deepStrictEqual(yield* fillGauges, [2, 1, 180.001])
    }).pipe(Effect.provide(Layer.merge(makeDatabase(), mockWebhooks(Effect.succeed(noBacklog)))), Effect.orDie)
  )

  it.effect("reports due webhook deliveries, the oldest due time, and endpoints that fail or are disabled", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW)
      let backlog = noBacklog
      const stores = Layer.merge(makeDatabase(), mockWebhooks(Effect.sync(() => backlog)))
      const values = Effect.provide(readMetrics, stores)
      backlog = {
        due: 7,
        oldestDueAt: secondsAgo(90.25),
        troubled: [anEndpoint(null), anEndpoint(null), anEndpoint(secondsAgo(5))]
      }
      assert.deepStrictEqual(yield* values, [1, 7, 90.25, 2, 1])
      backlog = noBacklog
      assert.deepStrictEqual(yield* values, [1, 0, 0, 0, 0])
    }).pipe(Effect.orDie)
  )

  it.effect("reports unpaid gas of the last two days by chain, and names no wallet", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW)
      const store = yield* UnpaidGasStore
      const chainValue = (name: string, chain: string) => Effect.map(scrape, ({ value }) => value(name, { chain }))
      assert.strictEqual(yield* chainValue("unpaid_gas_lost_usd", "137"), 0)
      yield* store.record(aGasEntry({ at: secondsAgo(60) }))
      yield* store.record(aGasEntry({ at: secondsAgo(2 * 86_400 - 1) }))
      yield* store.record(aGasEntry({ at: secondsAgo(2 * 86_400) }))
      const forgivenGasEntry = aGasEntry({ at: secondsAgo(5) })
      yield* store.record(forgivenGasEntry)
      yield* store.forgive({ _tag: "Project", id: forgivenGasEntry.projectId }, secondsAgo(0))
      assert.strictEqual(yield* chainValue("unpaid_gas_lost_usd", "137"), 4)
      assert.strictEqual(yield* chainValue("unpaid_gas_lost_wei", "137"), 2e15)
      assert.strictEqual(yield* chainValue("unpaid_gas_operations", "137"), 2)
      assert.strictEqual(yield* chainValue("unpaid_gas_operations", "8453"), 0)
    }).pipe(Effect.provide(Layer.merge(makeDatabase(), mockWebhooks(Effect.succeed(noBacklog)))), Effect.orDie)
  )

  it.effect("reports the operator's pending transactions by chain", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW)
      const store = yield* OperatorTransactionStore
      const waitingCount = (chain: string) =>
        Effect.map(scrape, ({ value }) => value("operator_transactions_waiting", { chain }))
      assert.strictEqual(yield* waitingCount("137"), 0)
      for (const operatorAccount of [anOperatorAccount(), anOperatorAccount()]) {
        yield* store.claim(operatorAccount, "SEND", { holder: "us", now: secondsAgo(0), until: secondsAgo(-60) })
        const transactions = [0, 1].map((nonce) => anOperatorTransaction(operatorAccount, nonce))
        const minedTransaction = anOperatorTransaction(operatorAccount, 2, { state: "MINED" })
        yield* store.record(operatorAccount, { holder: "us", now: secondsAgo(0) }, [...transactions, minedTransaction])
      }
      assert.strictEqual(yield* waitingCount("137"), 4)
      assert.strictEqual(yield* waitingCount("1"), 0)
    }).pipe(Effect.provide(Layer.merge(makeDatabase(), mockWebhooks(Effect.succeed(noBacklog)))), Effect.orDie)
  )

  it.effect("omits metrics of the database while it fails, and returns all of them once it responds again", () =>
    Effect.gen(function* () {
      const refusedQuery = Effect.die(new Error("connection refused"))
      const webhooks = mockWebhooks(Effect.succeed({ ...noBacklog, due: 3 }))
      const brokenStores = Layer.mergeAll(
        bitcoinWatchOff,
        stages,
        mockOperations(refusedQuery),
        webhooks,
        noGasEntries,
        noPools,
        noReviews,
        noWatch,
        noOperatorAccounts,
        layerWithoutLogs
      )
      const healthyReadings = Effect.provide(readMetrics, Layer.merge(makeDatabase(), webhooks))
      assert.deepStrictEqual(yield* healthyReadings, [1, 3, 0, 0, 0])
      assert.deepStrictEqual(yield* Effect.provide(readMetrics, brokenStores), backlogWithoutDatabase)
      assert.deepStrictEqual(yield* healthyReadings, [1, 3, 0, 0, 0])
      assert.isNotNull((yield* Effect.provide(scrape, brokenStores)).value("process_resident_memory_bytes"))
    }).pipe(Effect.orDie)
  )

  it.effect("waits at most 1.5 s for a database that hangs", () =>
    Effect.gen(function* () {
      const webhooks = mockWebhooks(Effect.succeed(noBacklog))
      const hangingStores = Layer.mergeAll(
        bitcoinWatchOff,
        stages,
        mockOperations(Effect.never),
        webhooks,
        noGasEntries,
        noPools,
        noReviews,
        noWatch,
        noOperatorAccounts,
        layerWithoutLogs
      )
      const scrapeFiber = yield* Effect.forkChild(Effect.provide(readMetrics, hangingStores))
      yield* TestClock.adjust("1499 millis")
      assert.isUndefined(scrapeFiber.pollUnsafe())
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(yield* Fiber.join(scrapeFiber), backlogWithoutDatabase)
    })
  )
})
