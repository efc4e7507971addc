import { type HistoryFilter, HistoryStore, Transaction } from "@countersign/core/accounting/history"
import { Hash32, jsonText } from "@countersign/core/foundation/primitives"
import { Context, DateTime, Effect, Layer } from "effect"
import { sql } from "kysely"
import { aMovement, aTransaction } from "../../core/src/accounting/history/Transaction.fixture.ts"
import { Db } from "../src/storage/kysely/index.ts"
import { layer as historyStore } from "../src/storage/kysely/KyselyHistoryStore.ts"
import { metadataEntry } from "../src/storage/kysely/metadataEntry.ts"
import { layerTemporaryPostgres, layerTemporarySqlite } from "../test/support/databases.ts"

/**
 * Reads pages of 100 transactions of a wallet's history with each filter. Alternates between two histories of one
 * wallet, with ROWS transactions (10,000 and 10,000,000 by default), on ENGINES. Run it with `npm run bench:history -w
 * packages/adapters`.
 */

const sizes = (process.env.ROWS ?? "10000,10000000").split(",").map(Number)
const engines = (process.env.ENGINES ?? "sqlite,postgres").split(",")
const PAGES = Number(process.env.PAGES ?? 500)
const WARMUP = 20
/**
 * Number of rows in a transaction. Each transaction writes to most pages of the id index, because ids are random. So a
 * few large transactions write less than many small ones.
 */
const CHUNK = 1_000_000
const TAKE = 100
const START = 1_700_000_000_000
const STEP = 1_000

const template: Transaction = aTransaction({
  movements: [aMovement({ usd: "1.5" }), aMovement({ direction: "IN", usd: "1.5" }), aMovement({ role: "GAS" })],
  status: "COMPLETED",
  metadata: { customer: "7" }
})
const { projectId, walletAddress } = template
const recordFromTemplate = jsonText(Transaction).encode(template)

/**
 * SQL expression for the id of row `i`. Rows are inserted in the order of their times, but their ids are pseudo-random.
 */
const idSql = {
  sqlite: "printf('%08x-0000-4000-8000-%012d', (i * 2654435761) % 4294967296, i)",
  postgres: "lpad(to_hex((i * 2654435761) % 4294967296), 8, '0') || '-0000-4000-8000-' || lpad(i::text, 12, '0')"
} as const
const idOf = (i: number): string =>
  `${((BigInt(i) * 2_654_435_761n) % 4_294_967_296n).toString(16).padStart(8, "0")}-0000-4000-8000-${String(i).padStart(12, "0")}`
const numbersSql = {
  sqlite: (from: number, to: number) =>
    `(with recursive n(i) as (select ${from} union all select i + 1 from n where i < ${to}) select i from n) as n`,
  postgres: (from: number, to: number) => `(select generate_series(${from}::bigint, ${to}::bigint) as i) as n`
} as const
const filledTables = "('transactions', 'transaction_legs', 'transaction_entries')"
const indicesSql = {
  sqlite: `select name, sql as text from sqlite_master where type = 'index' and tbl_name in ${filledTables}`,
  postgres: `select indexname as name, indexdef as text from pg_indexes where tablename in ${filledTables}`
} as const
const hashSql = (digit: string) => `'0x${digit}' || substr('${"0".repeat(63)}' || i, -63)`
const hashPostgres = (digit: string) => `'0x${digit}' || lpad(i::text, 63, '0')`
const hashOf = (digit: string, i: number) => Hash32.make(`0x${digit}${String(i).padStart(63, "0")}`)

/** Most rows are completed swaps on one busy chain. Some values exist only in the oldest rows. */
const TYPE =
  "case when i <= 3 then 'WALLET_DEPLOY' when i % 10 < 6 then 'SWAP' when i % 10 < 9 then 'TRANSFER' else 'LENDING_SUPPLY' end"
const status = (sparse: string) => `case when i = 5 then 'REFUNDED' when ${sparse} then 'FAILED' else 'COMPLETED' end`
const CHAIN = "case when i in (7, 8) then 100 when i % 7 < 3 then 8453 when i % 7 < 5 then 137 else 42161 end"
const subject = (sparse: string) => `case when ${sparse} then 'position 1' else null end`
const pairs = { rare: ["customer", "42"], common: ["source", "app"], position: ["positionId", "1"] } as const

const fill = Effect.fnUntraced(function* (rows: number) {
  const db = yield* Db
  const run = (text: string) => db.run(sql.raw(text))
  /** Runs a statement without a statement timeout. */
  const runAtLength = (text: string) =>
    db.dialect === "sqlite"
      ? run(text)
      : db.transaction(run("set local statement_timeout = 0").pipe(Effect.andThen(run(text))))
  const id = idSql[db.dialect]
  const hash = db.dialect === "sqlite" ? hashSql : hashPostgres
  /** Returns a condition that matches the same number of rows, evenly distributed, in a history of any size. */
  const sparse = (rest: number) => `i % ${Math.floor(rows / 3_000) * 10} = ${rest}`
  const [before, after] = recordFromTemplate.replaceAll("'", "''").split(template.id) as [string, string]
  // Rows are inserted before the indexes exist, which is much faster.
  const [cache] = db.dialect === "sqlite" ? yield* db.all(sql<{ cache_size: number }>`pragma cache_size`) : []
  if (cache !== undefined) yield* run("pragma cache_size = -2000000")
  const indices = (yield* db.all(sql.raw<{ name: string; text: string }>(indicesSql[db.dialect]))).filter(
    ({ name }) => !/autoindex|_pkey$/u.test(name)
  )
  for (const { name } of indices) yield* run(`drop index ${name}`)
  for (let firstRow = 1; firstRow <= rows; firstRow += CHUNK) {
    const numbers = numbersSql[db.dialect](firstRow, Math.min(rows, firstRow + CHUNK - 1))
    yield* db.transaction(
      Effect.gen(function* () {
        if (db.dialect === "postgres") yield* run("set local statement_timeout = 0")
        yield* run(`insert into transactions (project_id, id, wallet_address, type, status, chain_id_in, chain_id_out,
            user_operation_hash, subject, created_at, record)
          select '${projectId}', ${id}, '${walletAddress}', ${TYPE}, ${status(sparse(10))}, ${CHAIN}, ${CHAIN},
            ${hash("a")}, ${subject(sparse(17))}, ${START} + i * ${STEP}, '${before}' || ${id} || '${after}' from ${numbers}`)
        yield* run(`insert into transaction_legs (project_id, transaction_id, position, chain_id, hash)
          select '${projectId}', ${id}, 0, 137, ${hash("b")} from ${numbers}`)
        for (const [[key, value], when] of [
          [pairs.rare, sparse(12)],
          [pairs.common, "i % 10 = 3"],
          [pairs.position, sparse(18)]
        ] as const)
          yield* run(`insert into transaction_entries (project_id, transaction_id, wallet_address, created_at, entry)
            select '${projectId}', ${id}, '${walletAddress}', ${START} + i * ${STEP}, '${metadataEntry(key, value)}'
            from ${numbers} where ${when}`)
      })
    )
    if (firstRow > 1) process.stderr.write(`\r${db.dialect}: ${firstRow - 1} rows`)
  }
  for (const { text } of indices) yield* runAtLength(text)
  if (cache !== undefined) yield* run(`pragma cache_size = ${cache.cache_size}`)
  yield* runAtLength(`insert into transaction_kinds (project_id, wallet_address, kind) select distinct project_id, wallet_address,
    '["' || type || '","' || status || '",' || chain_id_in || ',' || chain_id_out || ']' from transactions`)
  // The service truncates its write-ahead log often, so the log is truncated before the measurement.
  if (db.dialect === "sqlite") yield* run("pragma wal_checkpoint(truncate)")
  if (db.dialect === "postgres")
    for (const table of ["transactions", "transaction_entries"]) yield* runAtLength(`analyze ${table}`)
})

type Filters = Readonly<Record<string, (rows: number) => HistoryFilter>>
const filters: Filters = {
  none: () => ({}),
  "type, common": () => ({ types: ["SWAP"] }),
  "type, the three oldest": () => ({ types: ["WALLET_DEPLOY"] }),
  "types, three": () => ({ types: ["SWAP", "TRANSFER", "LENDING_SUPPLY"] }),
  "status, common": () => ({ statuses: ["COMPLETED"] }),
  "status, 300 all through": () => ({ statuses: ["FAILED"] }),
  "status, the oldest": () => ({ statuses: ["REFUNDED"] }),
  "status, none": () => ({ statuses: ["PROCESSING"] }),
  "type and status that never meet": () => ({ types: ["TRANSFER"], statuses: ["FAILED"] }),
  "chain, common": () => ({ chains: [8453] }),
  "chain, the two oldest": () => ({ chains: [100] }),
  "chain and type": () => ({ chains: [100], types: ["TRANSFER"] }),
  chainInId: () => ({ chainIdIn: 137 }),
  chainOutId: () => ({ chainIdOut: 137 }),
  userOperationHash: (rows) => ({ userOperationHash: hashOf("a", rows / 2) }),
  transactionHash: (rows) => ({ transactionHash: hashOf("b", rows / 2) }),
  "dates, a window": (rows) => ({
    createdAtOldest: DateTime.makeUnsafe(START + (rows / 2) * STEP),
    createdAtLatest: DateTime.makeUnsafe(START + (rows / 2 + 150) * STEP)
  }),
  "metadata, 300 all through": () => ({ metadata: { key: pairs.rare[0], value: pairs.rare[1] } }),
  "metadata, common": () => ({ metadata: { key: pairs.common[0], value: pairs.common[1] } }),
  nftNumber: () => ({ subject: { id: "position 1", orMetadata: null } }),
  "nftNumber or metadata": () => ({
    subject: { id: "position 1", orMetadata: { key: pairs.position[0], value: pairs.position[1] } }
  }),
  "type, status, chain, dates, metadata": (rows) => ({
    types: ["SWAP"],
    statuses: ["COMPLETED"],
    chains: [8453],
    createdAtLatest: DateTime.makeUnsafe(START + (rows / 2) * STEP),
    metadata: { key: pairs.common[0], value: pairs.common[1] }
  })
}

const quantile = (times: ReadonlyArray<number>, share: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * share)] ?? Number.NaN

interface History {
  readonly rows: number
  readonly store: HistoryStore["Service"]
}

const fillHistory = Effect.fnUntraced(function* (engine: string, rows: number) {
  const startMs = performance.now()
  const database = engine === "sqlite" ? layerTemporarySqlite : layerTemporaryPostgres
  const context = yield* Layer.build(historyStore.pipe(Layer.provideMerge(database)))
  yield* Effect.provide(fill(rows), context)
  process.stderr.write(`\r${engine}: ${rows} rows in ${((performance.now() - startMs) / 1000).toFixed(0)} s\n`)
  return { rows, store: Context.get(context, HistoryStore) }
})

const startPositions = ["first", "anywhere"] as const
type Times = Record<(typeof startPositions)[number], Array<number>>

/** Reads a page that starts at the newest row or at a random one, and returns the duration in ms. */
const timeOf = Effect.fnUntraced(function* (
  { rows, store }: History,
  filter: HistoryFilter,
  startPosition: (typeof startPositions)[number]
) {
  const i = 1 + Math.floor(Math.random() * rows)
  const cursor = { ...template, id: idOf(i), createdAt: DateTime.makeUnsafe(START + i * STEP) }
  const startMs = performance.now()
  yield* store.list({
    projectId,
    walletAddress,
    filter,
    after: startPosition === "first" ? null : cursor,
    take: TAKE + 1
  })
  return performance.now() - startMs
})

/** Reads pages of each history alternately, so that other load on the machine affects both equally. */
const timesOf = Effect.fnUntraced(function* (histories: ReadonlyArray<History>, filterOf: Filters[string]) {
  const times = histories.map((): Times => ({ first: [], anywhere: [] }))
  for (let page = -WARMUP; page < PAGES; page++) {
    for (const startPosition of startPositions) {
      for (const [index, history] of histories.entries()) {
        const time = yield* timeOf(history, filterOf(history.rows), startPosition)
        if (page >= 0) times[index]![startPosition].push(time)
      }
    }
  }
  return times
})

const report = (name: string, [small, large]: ReadonlyArray<Times>) => {
  for (const startPosition of startPositions) {
    const [p50, p99, largeP50, largeP99] = [small!, large!].flatMap((times) => [
      quantile(times[startPosition], 0.5),
      quantile(times[startPosition], 0.99)
    ])
    const figures = [p50, p99, largeP50, largeP99, largeP50! / p50!, largeP99! / p99!].map((figure) =>
      figure!.toFixed(2)
    )
    console.log(
      `${name.padEnd(36)}  ${startPosition.padEnd(8)}  ${figures[0]}/${figures[1]}  ${figures[2]}/${figures[3]}  ${figures[4]}/${figures[5]}`
    )
  }
}

const measure = Effect.fnUntraced(function* (engine: string) {
  const histories = yield* Effect.forEach([sizes[0]!, sizes.at(-1)!], (rows) => fillHistory(engine, rows))
  console.log(`${engine}: a page of ${TAKE}, ms p50/p99 at ${sizes[0]} and at ${sizes.at(-1)} rows, ratios of p50/p99`)
  for (const [name, filterOf] of Object.entries(filters)) report(name, yield* timesOf(histories, filterOf))
}, Effect.scoped)

for (const engine of engines) await Effect.runPromise(measure(engine))
