import { type HistoryFilter, HistoryStore, Transaction } from "@countersign/core/history"
import { Hash32, jsonText } from "@countersign/core/primitives"
import { DateTime, Effect, Layer } from "effect"
import { sql } from "kysely"
import { aMovement, aTransaction } from "../../core/src/history/Transaction.fixture.ts"
import { Db } from "../src/kysely/index.ts"
import { layer as historyStore } from "../src/kysely/KyselyHistoryStore.ts"
import { metadataEntry } from "../src/kysely/metadataEntry.ts"
import { history } from "../src/kysely/migrations/0001/history.ts"
import { historyPages } from "../src/kysely/migrations/0003/history.ts"
import { layerTemporaryPostgres, layerTemporarySqlite } from "../test/support/databases.ts"

/**
 * Pages of 100 of a wallet's history, with every filter, in histories of ROWS transactions of one wallet (two sizes,
 * 10,000 and 10,000,000 by default, on ENGINES). `npm run bench:history -w packages/adapters`
 */

const sizes = (process.env.ROWS ?? "10000,10000000").split(",").map(Number)
const engines = (process.env.ENGINES ?? "sqlite,postgres").split(",")
const PAGES = Number(process.env.PAGES ?? 300)
const CHUNK = 100_000
const TAKE = 100
const START = 1_700_000_000_000
const STEP = 1_000

const template: Transaction = aTransaction({
  movements: [aMovement({ usd: "1.5" }), aMovement({ direction: "IN", usd: "1.5" }), aMovement({ role: "GAS" })],
  status: "COMPLETED",
  metadata: { customer: "7" }
})
const { projectId, walletAddress } = template
const recordOfTemplate = jsonText(Transaction).encode(template)

/** In the order of time, with ids that are in none. */
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
const hashSql = (digit: string) => `'0x${digit}' || substr('${"0".repeat(63)}' || i, -63)`
const hashPostgres = (digit: string) => `'0x${digit}' || lpad(i::text, 63, '0')`
const hashOf = (digit: string, i: number) => Hash32.make(`0x${digit}${String(i).padStart(63, "0")}`)

/** Most are swaps that were completed on a large chain. The oldest have what nothing else has. */
const TYPE =
  "case when i <= 3 then 'WALLET_DEPLOY' when i % 10 < 6 then 'SWAP' when i % 10 < 9 then 'TRANSFER' else 'LENDING_SUPPLY' end"
const status = (sparse: string) => `case when i = 5 then 'REFUNDED' when ${sparse} then 'FAILED' else 'COMPLETED' end`
const CHAIN = "case when i in (7, 8) then 100 when i % 7 < 3 then 8453 when i % 7 < 5 then 137 else 42161 end"
const subject = (sparse: string) => `case when ${sparse} then 'position 1' else null end`
const pairs = { rare: ["customer", "42"], common: ["source", "app"], position: ["positionId", "1"] } as const

const fill = Effect.fnUntraced(function* (rows: number) {
  const db = yield* Db
  const run = (text: string) => db.run(sql.raw(text))
  /** What takes longer than a statement may. */
  const runAtLength = (text: string) =>
    db.dialect === "sqlite"
      ? run(text)
      : db.transaction(run("set local statement_timeout = 0").pipe(Effect.andThen(run(text))))
  const id = idSql[db.dialect]
  const hash = db.dialect === "sqlite" ? hashSql : hashPostgres
  /** As many in a history of any size, all through it. */
  const sparse = (rest: number) => `i % ${Math.floor(rows / 3_000) * 10} = ${rest}`
  const [before, after] = recordOfTemplate.replaceAll("'", "''").split(template.id) as [string, string]
  // Filling a table and making its indices afterwards takes a fraction of the time.
  if (db.dialect === "sqlite") yield* run("pragma cache_size = -2000000")
  const indices = [...history.indices, ...historyPages.indices].filter((text) =>
    / on transaction(?:s|_legs|_entries)\b/u.test(text)
  )
  for (const text of indices) yield* run(`drop index ${/index (\w+)/u.exec(text)![1]}`)
  for (let from = 1; from <= rows; from += CHUNK) {
    const numbers = numbersSql[db.dialect](from, Math.min(rows, from + CHUNK - 1))
    yield* db.transaction(
      Effect.gen(function* () {
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
    if (from % (10 * CHUNK) === 1 && from > 1) process.stderr.write(`\r${db.dialect}: ${from - 1} rows`)
  }
  for (const text of indices) yield* runAtLength(text)
  if (db.dialect === "sqlite") yield* run("pragma cache_size = -2000")
  yield* runAtLength(`insert into transaction_kinds (project_id, wallet_address, kind) select distinct project_id, wallet_address,
    '["' || type || '","' || status || '",' || chain_id_in || ',' || chain_id_out || ']' from transactions`)
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

/** Of first pages and of pages that begin anywhere, in turn. */
const timesOf = Effect.fnUntraced(function* (rows: number, filter: HistoryFilter) {
  const store = yield* HistoryStore
  const times = { first: [] as Array<number>, anywhere: [] as Array<number> }
  for (let page = 0; page < 2 * (PAGES + 10); page++) {
    const place = page % 2 === 0 ? "first" : "anywhere"
    const i = 1 + Math.floor(Math.random() * rows)
    const after = { ...template, id: idOf(i), createdAt: DateTime.makeUnsafe(START + i * STEP) }
    const started = performance.now()
    yield* store.list({ projectId, walletAddress, filter, after: place === "first" ? null : after, take: TAKE + 1 })
    if (page >= 20) times[place].push(performance.now() - started)
  }
  return times
})

const measure = (engine: string, rows: number) =>
  Effect.gen(function* () {
    const started = performance.now()
    yield* fill(rows)
    process.stderr.write(`\r${engine}: ${rows} rows in ${((performance.now() - started) / 1000).toFixed(0)} s\n`)
    return yield* Effect.forEach(Object.entries(filters), ([name, filter]) =>
      Effect.map(timesOf(rows, filter(rows)), (times) => ({ name, ...times }))
    )
  }).pipe(
    Effect.provide(
      historyStore.pipe(Layer.provideMerge(engine === "sqlite" ? layerTemporarySqlite : layerTemporaryPostgres))
    ),
    Effect.scoped
  )

for (const engine of engines) {
  const [small, large] = await Effect.runPromise(
    Effect.forEach([sizes[0]!, sizes.at(-1)!], (rows) => measure(engine, rows))
  )
  for (const place of ["first", "anywhere"] as const) {
    console.log(
      `${engine}: ${place} page of ${TAKE}, ms p50/p99 at ${sizes[0]} and at ${sizes.at(-1)} rows, ratios of p50/p99`
    )
    for (const [index, { name, ...of }] of small!.entries()) {
      const [before, after] = [of[place], large![index]![place]]
      const [p50, p99, largeP50, largeP99] = [before, after].flatMap((times) => [
        quantile(times, 0.5),
        quantile(times, 0.99)
      ])
      const figures = [p50, p99, largeP50, largeP99, largeP50! / p50!, largeP99! / p99!].map((figure) =>
        figure!.toFixed(2)
      )
      console.log(
        `${name.padEnd(36)}  ${figures[0]}/${figures[1]}  ${figures[2]}/${figures[3]}  ${figures[4]}/${figures[5]}`
      )
    }
  }
}
