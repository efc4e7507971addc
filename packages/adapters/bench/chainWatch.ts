import { fork } from "node:child_process"
import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Transactions } from "@countersign/core/accounting/history"
import { PastPrices } from "@countersign/core/accounting/market-data"
import { aWallet } from "@countersign/core/contracts/wallets/registry/WalletStore"
import { Address, UnitOfWork } from "@countersign/core/foundation/primitives"
import { TokenCatalog, TokenPrices } from "@countersign/core/foundation/tokens"
import { Finality } from "@countersign/core/operations/executions"
import {
  ActivityRecords,
  ActivitySettings,
  ActivityStore,
  ActivityWatch
} from "@countersign/core/wallets/chain-activity"
import { AccountAddresses, WalletStore, Wallets } from "@countersign/core/wallets/registry"
import { Effect, Layer, Option, References } from "effect"
import { layerChainActivity } from "../src/chains/chain-activity/index.ts"
import { RpcClientsLayer, ViemChainReader } from "../src/chains/evm/index.ts"
import { NodeEntropy } from "../src/service/node/index.ts"
import { layerSqlite } from "../src/storage/kysely/index.ts"
import { busyChainMethods, LOG_COUNT, TOKEN, TRANSACTION_COUNT } from "../test/chain-activity/busyChain.ts"
import { serveJsonRpc } from "../test/evm/emulators/JsonRpcServer.ts"

/**
 * Measures the cost of watching a chain by the number of registered wallets: the time and the requests for each block,
 * while the watcher catches up and at the latest block. The node is emulated in a separate process. Its blocks have 200
 * transactions with internal calls and 400 token transfers, two of them of registered wallets. Run it with `npm run
 * bench:watcher -w packages/adapters`. Numbers after `--` set the numbers of wallets. The default is 10 and 100000.
 */

const CATCH_UP = 200
const AT_HEAD = 50

const serve = Effect.gen(function* () {
  const { url } = yield* serveJsonRpc(busyChainMethods())
  process.send!(url)
  return yield* Effect.never
}).pipe(Effect.scoped)

const startNode = (): Promise<{ readonly url: string; readonly stop: () => void }> => {
  const child = fork(import.meta.filename, ["serve"])
  return new Promise((resolve) =>
    child.once("message", (url) => resolve({ url: String(url), stop: () => void child.kill() }))
  )
}

const addressOf = (index: number) => Address.make(`0x${(index + 1).toString(16).padStart(40, "0")}`)

const measure = async (count: number) => {
  const folder = mkdtempSync(join(tmpdir(), "countersign-bench-"))
  const node = await startNode()
  const requestCounts = new Map<string, number>()
  const setHead = (head: number) =>
    fetch(node.url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "bench_setHead", params: [head, count] })
    })
  const rpcUrls = () => [node.url]
  const onRpcRequest = (_: unknown, methods: ReadonlyArray<string>) => {
    requestCounts.set("HTTP requests", (requestCounts.get("HTTP requests") ?? 0) + 1)
    for (const method of methods) requestCounts.set(method, (requestCounts.get(method) ?? 0) + 1)
  }
  const rpc = RpcClientsLayer({ urls: rpcUrls, onRequest: onRpcRequest })
  const token = { chainId: 1, address: TOKEN, name: "T", symbol: "T", decimals: 6, realWorldAsset: false } as const
  const services = ActivityWatch.layer({ chainIds: () => [1] }).pipe(
    Layer.provide(ActivityRecords.layer),
    Layer.provide(Layer.merge(Transactions.layer, Wallets.layer)),
    Layer.provide([
      layerChainActivity({ rpcUrls, onRpcRequest }),
      ViemChainReader.layer.pipe(Layer.provide(rpc)),
      NodeEntropy.layer,
      Layer.mock(AccountAddresses, { factories: [] }),
      Layer.mock(TokenCatalog, {
        find: (_, address) => Effect.succeed(address === TOKEN ? Option.some(token) : Option.none())
      }),
      Layer.mock(TokenPrices, { findPrices: () => Effect.succeed(new Map()) }),
      Layer.mock(PastPrices, { prices: (requests) => Effect.succeed(requests.map(() => null)) }),
      Layer.succeed(Finality, () => ({ blocks: 12, pollEveryMs: 0 })),
      Layer.succeed(ActivitySettings, { isOn: true, withNativeToken: true, backfillBlocks: 0 })
    ]),
    Layer.provideMerge(layerSqlite(join(folder, "watch.db")))
  )
  const program = Effect.gen(function* () {
    const { watchDue } = yield* ActivityWatch
    const store = yield* ActivityStore
    const wallets = yield* WalletStore
    const unitOfWork = yield* UnitOfWork
    yield* unitOfWork.run(
      Effect.forEach(
        Array.from({ length: count }),
        (_, index) => {
          const wallet = aWallet()
          return wallets.insert({ ...wallet, account: { ...wallet.account, address: addressOf(index) } })
        },
        { discard: true }
      )
    )
    const readTo = (block: number) =>
      Effect.gen(function* () {
        for (;;) {
          yield* watchDue
          const [chain] = yield* store.listChains
          if (chain?.progress?.last.number === block && (yield* store.nextDueAt(1)) === null) return
        }
      })
    yield* Effect.promise(() => setHead(10))
    yield* readTo(10)
    while ((yield* store.listBackfills(1, 1)).length > 0) yield* watchDue
    const measureBlocks = Effect.fnUntraced(function* (effect: Effect.Effect<unknown>, blocks: number) {
      requestCounts.clear()
      const cpu = process.cpuUsage()
      const startMs = performance.now()
      yield* effect
      const [ms, cpuUsage] = [performance.now() - startMs, process.cpuUsage(cpu)]
      const requestsPerBlock = [...requestCounts].map(([name, number]) => `${name} ${(number / blocks).toFixed(2)}`)
      const cpuMs = (cpuUsage.user + cpuUsage.system) / 1_000 / blocks
      return `${(ms / blocks).toFixed(1)} ms (${cpuMs.toFixed(1)} ms of CPU time) a block; ${requestsPerBlock.join(", ")}`
    })
    yield* Effect.promise(() => setHead(10 + CATCH_UP))
    const catchUp = yield* measureBlocks(readTo(10 + CATCH_UP), CATCH_UP)
    const lags: Array<number> = []
    const atHead = yield* measureBlocks(
      Effect.gen(function* () {
        for (let block = 1; block <= AT_HEAD; block++) {
          yield* Effect.promise(() => setHead(10 + CATCH_UP + block))
          const startMs = performance.now()
          yield* readTo(10 + CATCH_UP + block)
          lags.push(performance.now() - startMs)
        }
      }),
      AT_HEAD
    )
    lags.sort((a, b) => a - b)
    console.log(
      `${count} wallets, blocks of ${TRANSACTION_COUNT} transactions and ${LOG_COUNT} transfers, 2 of them of wallets`
    )
    console.log(`  catching up:          ${catchUp}`)
    console.log(`  at the latest block:  ${atHead}`)
    console.log(
      `  from a block to its transactions in the history: ${lags[AT_HEAD >> 1]!.toFixed(0)} ms, at most ${lags.at(-1)!.toFixed(0)} ms`
    )
  })
  try {
    const quietProgram = Effect.provideService(program, References.MinimumLogLevel, "Error")
    await Effect.runPromise(Effect.scoped(Effect.provide(quietProgram, services)))
    console.log(`  ${(statSync(join(folder, "watch.db")).size / count).toFixed(0)} bytes of SQLite per wallet`)
  } finally {
    node.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

if (process.argv[2] === "serve") await Effect.runPromise(serve)
else {
  const counts = process.argv.slice(2).map(Number)
  for (const count of counts.length > 0 ? counts : [10, 100_000]) await measure(count)
}
