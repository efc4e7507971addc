import { parseArgs } from "node:util"
import type { SandboxChains } from "@countersign/adapters/sandbox"
import type { EvmChainId } from "@countersign/core/foundation/chains"
import { Address } from "@countersign/core/foundation/primitives"
import { Effect, ManagedRuntime } from "effect"
import pg from "pg"
import { runOnSandbox } from "../test/fleet/onSandbox.ts"
import { createApiKey, layerOperator } from "../test/fleet/operator.ts"
import type { ServerAssignment } from "../test/fleet/ServerAssignment.ts"
import { ServerFleet } from "../test/fleet/ServerFleet.ts"
import { ServiceClient } from "../test/kill/ServiceClient.ts"
import { swapOf, USDC } from "../test/support/accounts.ts"
import { signOperations } from "../test/support/sign.ts"
import { startStatementProxy } from "./countedPostgres.ts"

/**
 * Measures the load that service processes put on a Postgres database: the statements by table while the processes are
 * idle, then the updates for each operation and the duration of an operation. `npm run bench:idle -w packages/http --
 * [--seconds 20] [--processes 1] [--operations 40] [--block-seconds 2]` prints tables.
 */

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "20" },
    processes: { type: "string", default: "1" },
    operations: { type: "string", default: "40" },
    "block-seconds": { type: "string", default: "2" },
    statements: { type: "boolean", default: false }
  }
})
const [seconds, processes, operations] = [values.seconds, values.processes, values.operations].map(Number) as [
  number,
  number,
  number
]
const blockSeconds = Number(values["block-seconds"])

const CHAIN = 1
const CHAINS: ReadonlyArray<EvmChainId> = [1, 10, 137, 8453]
/** Enough time for the service to start and to read the history of its wallets. */
const SETTLING_MS = 15_000
const POLL_MS = 10
const TIMEOUT_MS = 120_000

const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

const namedTable = /\b(?:from|into|update)\s+"?([a-z_]+)/iu

/** Returns the table of a statement, or the first word of the statement. */
const subjectOf = (sql: string): string => {
  if (sql.includes("upcoming_")) return "upcoming work"
  const text = sql.replace(/^\s*with due as/iu, "")
  return namedTable.exec(text)?.[1] ?? text.trim().split(/\s+/u).slice(0, 2).join(" ").toLowerCase()
}

let statements = new Map<string, number>()
const add = (sql: string): void => {
  const key = values.statements ? `${subjectOf(sql)}: ${sql.replace(/\s+/gu, " ").slice(0, 110)}` : subjectOf(sql)
  statements.set(key, (statements.get(key) ?? 0) + 1)
}

const printStatements = (title: string, divisor: number): void => {
  const rows = [...statements].sort(([, a], [, b]) => b - a)
  const total = rows.reduce((sum, [, count]) => sum + count, 0)
  console.log(`\n${title}: ${(total / divisor).toFixed(2)}`)
  for (const [subject, count] of rows) console.log(`  ${(count / divisor).toFixed(2).padStart(8)}  ${subject}`)
}

const median = (sorted: ReadonlyArray<number>): string => sorted[Math.floor(sorted.length / 2)]!.toFixed(0)

const run = async (chains: SandboxChains["Service"], assignment: ServerAssignment) => {
  if (assignment.database._tag !== "Postgres") throw new Error("This benchmark requires Postgres.")
  const databaseUrl = assignment.database.url
  const statementProxy = await startStatementProxy(databaseUrl, add)
  const operator = ManagedRuntime.make(layerOperator(assignment))
  const apiKey = await operator.runPromise(createApiKey(chains.keys.treasury.address))
  await operator.dispose()
  const fleet = await ServerFleet.of(
    { ...assignment, database: { _tag: "Postgres", url: statementProxy.url } },
    processes
  )
  await fleet.start()
  const service = new ServiceClient(apiKey, (nth) => fleet.url(nth))
  const requireOk = async (path: string, body?: object) => {
    const response = await service.untilSuccessful(path, body)
    if (response.status >= 400) throw new Error(`${path}: ${JSON.stringify(response.body)}`)
    return response.body
  }
  const database = new pg.Client(databaseUrl)
  await database.connect()
  try {
    const { factories } = await requireOk("/api/v1/wallets/factories")
    const [{ factory }] = factories.filter(({ eip7702 }: { eip7702: boolean }) => !eip7702)
    const wallets: Array<{ readonly address: string; readonly privateKey: `0x${string}` }> = []
    for (const { address: externallyOwnedAccount, privateKey } of chains.keys.owners.slice(0, 3)) {
      const { wallet } = await requireOk("/api/v1/wallets/register", { externallyOwnedAccount, factory })
      wallets.push({ address: wallet.walletAddress, privateKey })
      await Effect.runPromise(
        chains.fundUpTo(CHAIN, Address.make(wallet.walletAddress), Address.make(USDC), 1_000_000_000_000n)
      )
    }
    await sleep(SETTLING_MS)

    statements = new Map()
    await sleep(seconds * 1_000)
    printStatements(`statements per second, ${processes} idle processes, ${CHAINS.length} chains`, seconds)

    if (blockSeconds > 0) {
      const response = await fetch(chains.rpcUrl(CHAIN), {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "evm_setIntervalMining", params: [blockSeconds] })
      })
      const rpcResponse = (await response.json()) as { readonly error?: { readonly message: string } }
      if (rpcResponse.error !== undefined) throw new Error(rpcResponse.error.message)
    }
    const stateBefore = await updatesOf(database)
    statements = new Map()
    const acceptTimes: Array<number> = []
    const completionTimes: Array<number> = []
    const operate = async ({ address, privateKey }: (typeof wallets)[number], count: number) => {
      for (let i = 0; i < count; i++) {
        const { quotes } = await requireOk("/api/v1/crypto/swap", swapOf({ address }))
        const [{ signData, userOperationHash }] = quotes
        const signedQuote = await signOperations(privateKey, signData)
        const startedAt = performance.now()
        const { transaction } = await requireOk("/api/v1/crypto/execute-user-op", { userOperationHash, ...signedQuote })
        acceptTimes.push(performance.now() - startedAt)
        for (;;) {
          const { rows } = await database.query(
            "select status from transactions where user_operation_hash = $1 and id = coalesce($2, id)",
            [userOperationHash, transaction?.id ?? null]
          )
          if (rows[0]?.status !== undefined && rows[0].status !== "PROCESSING") break
          if (performance.now() - startedAt > TIMEOUT_MS)
            throw new Error("An operation did not end within the time limit.")
          await sleep(POLL_MS)
        }
        completionTimes.push(performance.now() - startedAt)
      }
    }
    const share = Math.ceil(operations / wallets.length)
    await Promise.all(wallets.map((wallet) => operate(wallet, share)))
    const deadline = performance.now() + TIMEOUT_MS
    for (;;) {
      const { rows } = await database.query("select count(*)::int as pending from executions where due_at is not null")
      if (rows[0].pending === 0 || performance.now() > deadline) break
      await sleep(200)
    }
    const completedCount = completionTimes.length
    completionTimes.sort((a, b) => a - b)
    acceptTimes.sort((a, b) => a - b)
    printStatements(
      `statements per operation, ${completedCount} operations, a block every ${blockSeconds} s`,
      completedCount
    )
    console.log(`\nfrom the request to its acceptance: p50 ${median(acceptTimes)} ms`)
    console.log(
      `from the request to the block: p50 ${median(completionTimes)} ms, max ${completionTimes.at(-1)!.toFixed(0)} ms`
    )
    console.log("\nupdates per operation, and the share of HOT updates")
    // Postgres writes the statistics of a connection when it becomes idle.
    await sleep(3_000)
    for (const [table, { hot, updates }] of await updatesOf(database)) {
      const countsBefore = stateBefore.get(table) ?? { updates: 0, hot: 0 }
      const [more, moreHot] = [updates - countsBefore.updates, hot - countsBefore.hot]
      if (more === 0) continue
      console.log(
        `  ${(more / completedCount).toFixed(2).padStart(8)}  ${((100 * moreHot) / more).toFixed(0).padStart(3)} %  ${table}`
      )
    }
  } finally {
    await database.end()
    await fleet.close()
    statementProxy.close()
  }
}

const updatesOf = async (database: pg.Client) => {
  const { rows } = await database.query(
    "select relname, n_tup_upd::int as updates, n_tup_hot_upd::int as hot from pg_stat_user_tables order by n_tup_upd desc"
  )
  return new Map<string, { readonly updates: number; readonly hot: number }>(
    rows.map(({ hot, relname, updates }) => [relname, { updates, hot }])
  )
}

await runOnSandbox({ chainIds: CHAINS, database: "postgres" }, run)
process.exit(0)
