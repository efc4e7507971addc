import { existsSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import type { SandboxChains } from "@countersign/adapters/sandbox"
import { Address } from "@countersign/core/foundation/primitives"
import { Effect, ManagedRuntime } from "effect"
import pg from "pg"
import { parseDatabaseName, runOnSandbox } from "../test/fleet/onSandbox.ts"
import { createApiKey, layerOperator } from "../test/fleet/operator.ts"
import type { ServerAssignment } from "../test/fleet/ServerAssignment.ts"
import { ServerFleet } from "../test/fleet/ServerFleet.ts"
import { SeededRandom } from "../test/kill/SeededRandom.ts"
import { ServiceClient } from "../test/kill/ServiceClient.ts"
import { PoolLoad } from "../test/load/PoolLoad.ts"
import { parsePrometheusText } from "../test/support/prometheusText.ts"
import { storedBytes } from "./storedBytes.ts"

/**
 * Wallets trade in the same pool concurrently. Measures the load of a quote and of a swap on the service's processes,
 * its node and its database: `npm run bench:load -w packages/http -- --wallets 64 --minutes 10 --database postgres
 * --processes 2`. The clients, the node and the database run on the same machine as the service. So the rate is lower
 * than on separate machines; use the load per operation instead. On Postgres it then archives every execution, and
 * prints the size of an operation before and after. The exit code is 1 after a wrong response.
 */

const { values } = parseArgs({
  options: {
    wallets: { type: "string", default: "64" },
    minutes: { type: "string", default: "10" },
    database: { type: "string", default: "sqlite" },
    processes: { type: "string", default: "1" },
    seed: { type: "string", default: "1" }
  }
})
const database = parseDatabaseName(values.database)
const processes = Number(values.processes)
if (database === "sqlite" && processes > 1)
  throw new Error("SQLite supports only one process. Use --database postgres.")

const CHAIN = 1
const POLL_MS = 1_000
const PROGRESS_MS = 15_000
/** The number of quotes that every wallet requests before its swaps and never signs. */
const QUOTES_PER_WALLET = 8
/**
 * High, because the pending operations of dozens of wallets could exceed the default budget of a project for unpaid
 * gas.
 */
const UNPAID_GAS_BUDGET_USD = 1_000_000

interface Costs {
  /** The CPU time of the service's processes. */
  readonly cpuSeconds: number
  /** The number of HTTP requests to the node, and the number of JSON-RPC calls in them. */
  readonly nodeRequests: number
  readonly nodeCalls: number
  readonly databaseBytes: number
  /** Null for SQLite. */
  readonly walBytes: number | null
  readonly transactions: number | null
  /** The CPU time of all Postgres processes. Null for SQLite, and on systems without /proc. */
  readonly postgresSeconds: number | null
}

/**
 * Returns the CPU time of a process from `/proc/PID/stat`: fields 14 and 15, in ticks of 10 ms. The name before them
 * may contain spaces.
 */
const cpuSecondsOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ")
  return (Number(fields[11]) + Number(fields[12])) / 100
}

const openDatabase = (assignment: ServerAssignment) => {
  const { database, home } = assignment
  if (database._tag === "Sqlite") {
    const read = async () => ({
      databaseBytes: statSync(join(home, "countersign.db")).size,
      walBytes: null,
      transactions: null,
      postgresSeconds: null
    })
    return { read, close: async () => undefined }
  }
  const client = new pg.Client(database.url)
  const connection = client.connect()
  const read = async () => {
    await connection
    const { rows } = await client.query(
      "select pg_database_size(current_database())::float8 as bytes, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as wal, " +
        "xact_commit::float8 as transactions from pg_stat_database where datname = current_database()"
    )
    const [{ bytes, transactions, wal }] = rows
    const { rows: processes } = await client.query("select pid from pg_stat_activity")
    const postgresSeconds = existsSync("/proc/self/stat")
      ? processes.reduce((sum, { pid }) => sum + cpuSecondsOf(pid), 0)
      : null
    return { databaseBytes: bytes, walBytes: wal, transactions, postgresSeconds }
  }
  return { read, close: () => client.end() }
}

const run = async (chains: SandboxChains["Service"], assignment: ServerAssignment): Promise<boolean> => {
  const operator = ManagedRuntime.make(layerOperator(assignment))
  const apiKey = await operator.runPromise(createApiKey(chains.keys.treasury.address))
  await operator.dispose()
  const fleet = await ServerFleet.of(assignment, processes)
  await fleet.start()
  const databaseReader = openDatabase(assignment)
  const urls = await Promise.all(Array.from({ length: processes }, (_, nth) => fleet.url(nth)))
  const client = new ServiceClient(apiKey, (nth) => fleet.url(nth))

  const costs = async (): Promise<Costs> => {
    const scrapes = await Promise.all(
      urls.map(async (url) => parsePrometheusText(await (await fetch(`${url}/metrics`)).text()))
    )
    const sum = (name: string): number =>
      scrapes
        .flatMap(({ families }) => [...families.values()].flatMap(({ samples }) => samples))
        .reduce((total, sample) => (sample.name === name ? total + sample.value : total), 0)
    return {
      cpuSeconds: sum("process_cpu_seconds_total"),
      nodeRequests: sum("rpc_http_request_duration_seconds_count"),
      nodeCalls: sum("rpc_requests_total"),
      ...(await databaseReader.read())
    }
  }

  const load = new PoolLoad(
    {
      ask: (path, body) => client.untilSuccessful(path, body),
      fund: (address, token, amount) =>
        Effect.runPromise(
          chains.fund(CHAIN, Address.make(address), token === "native" ? token : Address.make(token), amount)
        ),
      pollMs: POLL_MS
    },
    new SeededRandom(Number(values.seed))
  )
  const wallets = await load.wallets(Number(values.wallets))
  process.stdout.write(
    `${wallets.length} wallets, ${values.database}, ${processes} processes, ${values.minutes} minutes, seed ${values.seed}\n`
  )
  const measure = async (work: () => Promise<unknown>) => {
    const [before, startedAt] = [await costs(), performance.now()]
    await work()
    const seconds = (performance.now() - startedAt) / 1_000
    return { before, after: await costs(), seconds }
  }

  const quoteMeasurement = await measure(() =>
    Promise.all(
      wallets.map(async (wallet) => {
        for (let nth = 0; nth < QUOTES_PER_WALLET; nth++) await load.quote(wallet)
      })
    )
  )
  const unsignedQuotes = load.counts.quotes
  const startedAt = performance.now()
  const elapsedSeconds = () => (performance.now() - startedAt) / 1_000
  const line = () =>
    `${elapsedSeconds().toFixed(0).padStart(5)} s: ${Object.entries(load.counts)
      .map(([name, count]) => `${count} ${name}`)
      .join(", ")}\n`
  const progress = setInterval(() => process.stdout.write(line()), PROGRESS_MS)
  const trading = await measure(() =>
    Promise.all(wallets.map((wallet) => load.trade(wallet, () => elapsedSeconds() > Number(values.minutes) * 60)))
  )
  clearInterval(progress)
  await databaseReader.close()
  await fleet.close()

  process.stdout.write(line())
  for (const problem of load.problems) process.stdout.write(`  ${problem}\n`)
  const { completed, moved, quotes } = load.counts
  const perOperation = (cost: (costs: Costs) => number | null, digits: number): ReadonlyArray<string> =>
    [
      { ...quoteMeasurement, count: unsignedQuotes },
      { ...trading, count: completed }
    ].map(({ after, before, count }) => {
      const [first, last] = [cost(before), cost(after)]
      return first === null || last === null ? "not measured" : ((last - first) / count).toFixed(digits)
    })
  const rows = [
    ["", "quote", "swap"],
    [
      "completed per second",
      (unsignedQuotes / quoteMeasurement.seconds).toFixed(1),
      (completed / trading.seconds).toFixed(1)
    ],
    ["CPU of the service, ms", ...perOperation(({ cpuSeconds }) => cpuSeconds * 1_000, 0)],
    ["CPU of Postgres, ms", ...perOperation(({ postgresSeconds }) => postgresSeconds && postgresSeconds * 1_000, 1)],
    ["HTTP requests to the node", ...perOperation(({ nodeRequests }) => nodeRequests, 1)],
    ["calls in them", ...perOperation(({ nodeCalls }) => nodeCalls, 1)],
    ["database transactions", ...perOperation(({ transactions }) => transactions, 1)],
    ["bytes of the database", ...perOperation(({ databaseBytes }) => databaseBytes, 0)],
    ["bytes of the write-ahead log", ...perOperation(({ walBytes }) => walBytes, 0)]
  ]
  const movedPercent = ((100 * moved) / quotes).toFixed(1)
  process.stdout.write(
    `${movedPercent} % of the quotes were rejected because the price of the pool had changed. Per quote, and per swap with its quote:\n`
  )
  if (assignment.database._tag === "Postgres") {
    const storage = ManagedRuntime.make(layerOperator(assignment))
    for (const storageLine of await storage.runPromise(storedBytes)) process.stdout.write(`${storageLine}\n`)
    await storage.dispose()
  }
  for (const [name, ...columns] of rows)
    process.stdout.write(`${name!.padEnd(40)}${columns.map((value) => value.padStart(14)).join("")}\n`)
  return load.problems.length === 0
}

const isCorrect = await runOnSandbox({ chainIds: [CHAIN], database }, (chains, assignment) =>
  run(chains, { ...assignment, unpaidGasBudgetUsd: UNPAID_GAS_BUDGET_USD })
)
process.exit(isCorrect ? 0 : 1)
