import { Address } from "@countersign/core/foundation/primitives"
import { WorkClaims } from "@countersign/core/foundation/work"
import { Finality } from "@countersign/core/operations/executions"
import { addHours, type PoolHour, PoolIndexing, PoolIndexStore, type PoolRef } from "@countersign/core/trading/pools"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Exit, Layer, Option, Schema } from "effect"
import { PATIENT_RPC } from "../../../test/evm/patientRpc.ts"
import { recordedDb } from "../../../test/kysely/recordedDb.ts"
import { blockEvents, type GeneratedPool, serveGeneratedPool } from "../../../test/pool-index/generatedPool.ts"
import { RpcClientsLayer } from "../../chains/evm/index.ts"
import { layerSqlite, layerStores } from "../../storage/kysely/index.ts"
import { ViemPoolEvents } from "./index.ts"
import { hoursOfBlocks } from "./ViemPoolEvents.ts"

/**
 * Tests the index of a pool with an HTTP node: interruptions at any query, rejected block ranges, and nodes without
 * block times in logs.
 */

const ADDRESS = "0x00000000000000000000000000000000000000aa"

const pool: PoolRef = {
  chainId: 1,
  address: Address.make(ADDRESS),
  token0: Address.make(`0x${"01".repeat(20)}`),
  token1: Address.make(`0x${"02".repeat(20)}`),
  feePips: 3_000
}

const aChain = (changes: Partial<GeneratedPool> = {}): GeneratedPool => ({
  address: ADDRESS,
  blocks: 5_000,
  startsAt: Math.floor(Date.now() / 1_000) - 5_000 * 12,
  blockSeconds: 12,
  createdIn: 1_234,
  swapsOfBlock: (block) => (block % 7 === 0 ? 3 : 0),
  maxRange: 100_000,
  maxLogs: 100_000,
  hasTimes: true,
  ...changes
})

const magnitude = (amount: bigint): bigint => (amount < 0n ? -amount : amount)
const feeOf = (amount: bigint): bigint => (amount > 0n ? (amount * 3_000n + 999_999n) / 1_000_000n : 0n)

/** Sums the events of the generated chain. */
const expectedHours = (chain: GeneratedPool): ReadonlyArray<PoolHour> => {
  const hours = new Map<number, PoolHour>()
  for (let block = 0; block < chain.blocks; block++) {
    const events = blockEvents(chain, block)
    if (events.length === 0) continue
    const hour = Math.floor(Math.floor(chain.startsAt + block * chain.blockSeconds) / 3_600)
    const sum = hours.get(hour) ?? { hour, transactions: 0, volume0: 0n, volume1: 0n, fees0: 0n, fees1: 0n }
    const swaps = events.filter(({ kind }) => kind === "SWAP")
    const flashes = events.filter(({ kind }) => kind === "FLASH")
    const total = (of: ReadonlyArray<bigint>) => of.reduce((a, b) => a + b, 0n)
    hours.set(hour, {
      hour,
      transactions: sum.transactions + new Set(events.map(({ transaction }) => transaction)).size,
      volume0: sum.volume0 + total(swaps.map(({ amount0 }) => magnitude(amount0))),
      volume1: sum.volume1 + total(swaps.map(({ amount1 }) => magnitude(amount1))),
      fees0:
        sum.fees0 + total([...swaps.map(({ amount0 }) => feeOf(amount0)), ...flashes.map((flash) => flash.amount0)]),
      fees1:
        sum.fees1 + total([...swaps.map(({ amount1 }) => feeOf(amount1)), ...flashes.map((flash) => flash.amount1)])
    })
  }
  return [...hours.values()]
}

/** The number of queries until the store fails, as if its process had been killed. */
const killSwitch = { atQuery: Number.POSITIVE_INFINITY }
const mortalDb = recordedDb(() => {
  killSwitch.atQuery -= 1
  if (killSwitch.atQuery === 0) throw new Error("killed")
})

/** The database continues to exist after the indexer is killed. */
const services = Effect.fnUntraced(function* (chain: GeneratedPool) {
  const { requestedMethods, url } = yield* serveGeneratedPool(chain)
  const database = yield* Layer.build(layerSqlite(":memory:"))
  const events = ViemPoolEvents.layer.pipe(
    Layer.provide(RpcClientsLayer({ ...PATIENT_RPC, urls: () => [url], rounds: 1 }))
  )
  const indexer = PoolIndexing.layer.pipe(
    Layer.provide(Layer.succeed(Finality, () => ({ blocks: 12, pollEveryMs: 1_000 }))),
    Layer.provide(events),
    Layer.provide(layerStores.pipe(Layer.provide(mortalDb), Layer.fresh)),
    Layer.provide(Layer.succeedContext(database))
  )
  const { indexDue } = yield* Effect.provide(PoolIndexing, indexer)
  const store = yield* Effect.provide(PoolIndexStore, Layer.succeedContext(database))
  const dueNow = store.recordRequest(pool, DateTime.makeUnsafe(0), 10)
  yield* store.recordRequest(pool, yield* DateTime.now, 10)
  const isDone = Effect.map(store.find(pool), (indexedPool) => {
    const { progress } = Option.getOrThrow(indexedPool)
    return progress?.isWhole === true && progress.headSeenAt !== null
  })
  const hours = Effect.map(store.listHours(pool, 0), (rows) =>
    [...Map.groupBy(rows, ({ hour }) => hour).values()].map((parts) => parts.reduce(addHours))
  )
  const { releaseAll } = yield* Effect.provide(WorkClaims, Layer.succeedContext(database))
  return { dueNow, hours, indexDue, isDone, releaseAll, requestedMethods }
})

const indexedWhole = Effect.fnUntraced(function* (chain: GeneratedPool) {
  const { dueNow, hours, indexDue, isDone, requestedMethods } = yield* services(chain)
  for (let step = 0; step < 500 && !(yield* isDone); step++) {
    yield* dueNow
    yield* indexDue
  }
  return { hours: yield* hours, requestedMethods }
})

describe("the index of a pool", () => {
  it.live("has the same sums if its process is killed at any query of any step", () =>
    Effect.gen(function* () {
      const chain = aChain({ createdIn: 300, maxRange: 700 })
      const { dueNow, hours, indexDue, isDone, releaseAll } = yield* services(chain)
      let kills = 0
      while (!(yield* isDone)) {
        for (let query = 1; ; query++) {
          yield* dueNow
          killSwitch.atQuery = query
          const exit = yield* Effect.exit(indexDue)
          killSwitch.atQuery = Number.POSITIVE_INFINITY
          yield* releaseAll
          if (Exit.isSuccess(exit)) break
          kills += 1
        }
      }
      assert.isAtLeast(kills, 30)
      assert.deepStrictEqual(yield* hours, expectedHours(chain))
    })
  )

  it.live("requests smaller ranges if the node rejects a range or the number of logs", () =>
    Effect.gen(function* () {
      const chain = aChain({ maxRange: 90, maxLogs: 60 })
      const { hours, requestedMethods } = yield* indexedWhole(chain)
      assert.deepStrictEqual(hours, expectedHours(chain))
      assert.isBelow(requestedMethods.filter((method) => method === "eth_getLogs").length, 120)
    })
  )

  it.live("determines the hours of events itself if logs have no block time", () =>
    Effect.gen(function* () {
      const chain = aChain({ hasTimes: false, blockSeconds: 7.3 })
      const { hours, requestedMethods } = yield* indexedWhole(chain)
      assert.deepStrictEqual(hours, expectedHours(chain))
      const eventful = Array.from({ length: chain.blocks }, (_, i) => i).filter((i) => blockEvents(chain, i).length > 0)
      const headers = requestedMethods.filter((method) => method === "eth_getBlockByNumber").length
      assert.isBelow(headers, eventful.length / 2)
    })
  )
})

describe("hoursOfBlocks", () => {
  const mark = (number: number, at: number) => ({ number, at, hash: `0x${"00".repeat(32)}` as never })

  it.effect.prop(
    "are those of the blocks' times, for any distribution of hours",
    {
      steps: Schema.NonEmptyArray(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9_000 })))
    },
    ({ steps }) =>
      Effect.gen(function* () {
        let time = 1_000
        const times = steps.map((step) => {
          time += step
          return time
        })
        const numbers = times.map((_, i) => i)
        const last = times.length - 1
        const hours = yield* Effect.promise(() =>
          hoursOfBlocks(numbers, mark(0, times[0]!), mark(last, times[last]!), async (number) => times[number]!)
        )
        for (const number of numbers) assert.strictEqual(hours.get(number), Math.floor(times[number]! / 3_600))
      })
  )
})
