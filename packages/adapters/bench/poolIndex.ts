import { fork } from "node:child_process"
import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Address } from "@countersign/core/foundation/primitives"
import { PoolIndexing, PoolIndexStore, type PoolRef } from "@countersign/core/trading/pools"
import { DateTime, Effect, Layer, Option } from "effect"
import { RpcClientsLayer } from "../src/chains/evm/index.ts"
import { ViemPoolEvents } from "../src/exchanges/pool-index/index.ts"
import { layerSqlite } from "../src/storage/kysely/index.ts"
import { type GeneratedPool, serveGeneratedPool } from "../test/pool-index/generatedPool.ts"

/**
 * Measures the cost of indexing a pool with a million swaps in a year: the time, the bytes from the node, the rows, and
 * the size of the file. The node is emulated in a separate process. It accepts at most 10,000 blocks and 10,000 logs in
 * one HTTP request, like many providers. Run it with `npm run bench:pool-index -w packages/adapters`. A number after
 * `--` sets the number of swaps.
 */

const BLOCK_SECONDS = 12
const BLOCKS = (365 * 86_400) / BLOCK_SECONDS

const poolOf = (swaps: number): GeneratedPool => {
  const perBlock = swaps / BLOCKS
  return {
    address: `0x${"aa".repeat(20)}`,
    blocks: BLOCKS,
    startsAt: Math.floor(Date.now() / 1_000) - BLOCKS * BLOCK_SECONDS,
    blockSeconds: BLOCK_SECONDS,
    createdIn: 1,
    swapsOfBlock: (block) => Math.floor((block + 1) * perBlock) - Math.floor(block * perBlock),
    maxRange: 10_000,
    maxLogs: 10_000,
    hasTimes: true
  }
}

const serve = (swaps: number) =>
  Effect.gen(function* () {
    const { url } = yield* serveGeneratedPool(poolOf(swaps))
    process.send!(url)
    return yield* Effect.never
  }).pipe(Effect.scoped)

const startNode = (swaps: number): Promise<{ readonly url: string; readonly stop: () => void }> => {
  const child = fork(import.meta.filename, ["serve", String(swaps)])
  return new Promise((resolve) =>
    child.once("message", (url) => resolve({ url: String(url), stop: () => void child.kill() }))
  )
}

/** Counts the bytes of responses. */
const meteredFetch = () => {
  const meter = { bytes: 0, requests: 0 }
  const original = globalThis.fetch
  globalThis.fetch = async (...args) => {
    const response = await original(...args)
    const text = await response.text()
    meter.bytes += text.length
    meter.requests += 1
    return new Response(text, response)
  }
  return meter
}

const measure = async (swaps: number) => {
  const folder = mkdtempSync(join(tmpdir(), "countersign-bench-"))
  const filename = join(folder, "index.db")
  const node = await startNode(swaps)
  const meter = meteredFetch()
  const ref: PoolRef = {
    chainId: 1,
    address: Address.make(`0x${"aa".repeat(20)}`),
    token0: Address.make(`0x${"01".repeat(20)}`),
    token1: Address.make(`0x${"02".repeat(20)}`),
    feePips: 500
  }
  const services = PoolIndexing.layer.pipe(
    Layer.provide(
      ViemPoolEvents.layer.pipe(Layer.provide(RpcClientsLayer({ urls: () => [node.url], timeoutMs: 20_000 })))
    ),
    Layer.provideMerge(layerSqlite(filename))
  )
  const result = await Effect.runPromise(
    Effect.gen(function* () {
      const store = yield* PoolIndexStore
      const { indexDue } = yield* PoolIndexing
      const startedAt = performance.now()
      let events = 0
      for (;;) {
        yield* store.recordRequest(ref, yield* DateTime.now, 10)
        events += (yield* indexDue) ?? 0
        const { progress } = Option.getOrThrow(yield* store.find(ref))
        if (progress?.isWhole && progress.headSeenAt !== null) break
      }
      const seconds = (performance.now() - startedAt) / 1_000
      const readAt = performance.now()
      const hours = yield* store.listHours(ref, 0)
      return { events, seconds, rows: hours.length, readMs: performance.now() - readAt }
    }).pipe(Effect.provide(services))
  )
  const fileBytes = statSync(filename).size
  node.stop()
  rmSync(folder, { recursive: true, force: true })
  const { events, readMs, rows, seconds } = result
  console.log(
    `${events} events in ${seconds.toFixed(1)} s: ${Math.round(events / seconds)} a second; ${meter.requests} requests, ` +
      `${(meter.bytes / 1e6).toFixed(0)} MB of responses; ${rows} rows, ${(fileBytes / 1e6).toFixed(2)} MB of file, ` +
      `all rows read in ${readMs.toFixed(1)} ms`
  )
}

const [mode, count] = process.argv.slice(2)
if (mode === "serve") await Effect.runPromise(serve(Number(count)))
else await measure(Number(mode ?? 1_000_000))
