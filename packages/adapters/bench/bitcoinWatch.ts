import { createHash } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { BitcoinActivityRecords, BitcoinWatch } from "@countersign/core/bitcoin/activity"
import { BitcoinChain, type BitcoinTransaction } from "@countersign/core/bitcoin/chain"
import { aBitcoinWallet } from "@countersign/core/contracts/wallets/registry/WalletStore"
import { Hash32, HexBytes, UnitOfWork } from "@countersign/core/foundation/primitives"
import { ActivitySettings } from "@countersign/core/wallets/chain-activity"
import { WalletStore } from "@countersign/core/wallets/registry"
import { Effect, Layer, References } from "effect"
import { BitcoinjsTransactions } from "../src/chains/bitcoin/index.ts"
import { scriptToAddress } from "../src/chains/bitcoin/readAddress.ts"
import { MovedClock } from "../src/service/node/index.ts"
import { layerSqlite } from "../src/storage/kysely/index.ts"

/**
 * Measures the time to match a block of 4,000 transactions, by the number of registered Bitcoin addresses, with a
 * SQLite file. Each transaction has two inputs and two outputs. Two transactions have registered addresses. The servers
 * respond from memory, so their time does not count. Run it with `npm run bench:bitcoin-watch -w packages/adapters`.
 * Numbers after `--` set the numbers of addresses. The default is 10 and 100000.
 */

const TRANSACTIONS = 4_000
const BLOCKS = 20
const FIRST = 900_000
const MINED_AT_MS = 1_790_000_000_000

const digest = (text: string) => createHash("sha256").update(text).digest("hex")
const hashOf = (text: string) => Hash32.make(`0x${digest(text)}`)
const scriptOf = (name: string) => HexBytes.make(`0x0014${digest(name).slice(0, 40)}`)

const blockOf = (height: number, registered: number) => {
  const hash = hashOf(`block ${height}`)
  const transactions = Array.from({ length: TRANSACTIONS }, (_, index) => {
    const name = `${height} ${index}`
    const registeredScripts = index < 2 ? [scriptOf(`registered ${(height * 2 + index) % registered}`)] : []
    const scripts = [...registeredScripts, ...[0, 1, 2, 3].map((part) => scriptOf(`${name} ${part}`))]
    const coinOf = (vout: number) => ({
      txid: hashOf(`${name} before`),
      vout,
      value: 10_000n,
      script: scripts[vout + 2]!
    })
    return {
      txid: hashOf(name),
      inputs: [coinOf(0), coinOf(1)],
      outputs: scripts.slice(0, 2).map((script) => ({ script, value: 9_000n })),
      fee: 2_000n,
      lockTime: 0,
      isCoinbase: index === 0,
      block: { hash, height, minedAtMs: MINED_AT_MS }
    } as unknown as BitcoinTransaction
  })
  return { previous: hashOf(`block ${height - 1}`), minedAtMs: MINED_AT_MS, transactions }
}

const measure = async (count: number) => {
  const folder = mkdtempSync(join(tmpdir(), "countersign-bench-"))
  const heights = Array.from({ length: BLOCKS }, (_, index) => FIRST + 1 + index)
  const blocks = new Map(heights.map((height) => [hashOf(`block ${height}`), blockOf(height, count)] as const))
  const state = { height: FIRST, offsetSeconds: 0 }
  const services = BitcoinWatch.layer({ isRead: true }).pipe(
    Layer.provide([
      Layer.mock(BitcoinChain, {
        tip: Effect.sync(() => ({ height: state.height, hash: hashOf(`block ${state.height}`) })),
        blockHash: (height) => Effect.succeed(hashOf(`block ${height}`)),
        block: (hash) => Effect.succeed(blocks.get(hash)!),
        transactionsOf: () => Effect.succeed([])
      }),
      BitcoinjsTransactions.layer,
      Layer.mock(BitcoinActivityRecords, { record: () => Effect.void, confirm: () => Effect.void }),
      Layer.succeed(ActivitySettings, { isOn: true, withNativeToken: true, backfillBlocks: 0 })
    ]),
    Layer.provideMerge(layerSqlite(join(folder, "watch.db")))
  )
  const program = Effect.gen(function* () {
    const { watchDue } = yield* BitcoinWatch
    const wallets = yield* WalletStore
    yield* (yield* UnitOfWork).run(
      Effect.forEach(
        Array.from({ length: count }),
        (_, index) => wallets.insert(aBitcoinWallet({ address: scriptToAddress(scriptOf(`registered ${index}`))! })),
        { discard: true }
      )
    )
    yield* watchDue
    const cpu = process.cpuUsage()
    const startMs = performance.now()
    for (const height of heights) {
      state.height = height
      state.offsetSeconds += 600
      yield* watchDue
    }
    const { system, user } = process.cpuUsage(cpu)
    const ms = (performance.now() - startMs) / BLOCKS
    const cpuMs = (user + system) / 1_000 / BLOCKS
    return `${count} addresses: ${ms.toFixed(1)} ms a block (${cpuMs.toFixed(1)} ms of CPU time)`
  })
  const figures = await Effect.runPromise(
    program.pipe(
      Effect.provide(services),
      Effect.provide(MovedClock.layer(() => state.offsetSeconds)),
      Effect.provideService(References.MinimumLogLevel, "Error")
    )
  )
  console.log(figures)
  rmSync(folder, { recursive: true, force: true })
}

const counts = process.argv.slice(2).map(Number)
for (const count of counts.length > 0 ? counts : [10, 100_000]) await measure(count)
