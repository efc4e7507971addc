import { createHash } from "node:crypto"
import type { ProjectId } from "@countersign/core/tenancy/projects"
import { Array, Effect } from "effect"
import { type RawBuilder, sql } from "kysely"
import { attachMonths } from "../archiveMonths.ts"
import { instantOf } from "../codec.ts"
import type { Db } from "../Db.ts"
import { placements } from "../distribution.ts"
import type { Tables } from "../migrations/index.ts"
import { recordErasure } from "../purgeErased.ts"
import { taxKeyId } from "../taxEmails.ts"

type Table = keyof Tables
type Row = Readonly<Record<string, unknown>>

/** Rows per statement. With at most 20 columns each, the values are far below the limit of both engines. */
const PAGE = 500

const tablesIn = (placement: "distributed" | "reference"): ReadonlyArray<Table> =>
  (Object.keys(placements) as ReadonlyArray<Table>).filter((table) => placements[table] === placement)

/** Reference tables that are not copied here, because their rows do not belong to one project. */
const NOT_OF_PROJECT: ReadonlySet<Table> = new Set(["project_moves", "wallet_deployments"])

/** Tables with rows of a project. A referenced table comes first. */
const movedTables: ReadonlyArray<Table> = [
  ...tablesIn("reference").filter((table) => !NOT_OF_PROJECT.has(table)),
  ...tablesIn("distributed")
]

const projectColumn = (table: Table): string => (table === "projects" ? "id" : "project_id")

const primaryKey = (db: Db["Service"], table: Table) =>
  Effect.map(
    db.all<{ readonly name: string }>(
      db.dialect === "sqlite"
        ? sql`select name from pragma_table_info(${table}) where pk > 0 order by pk`
        : sql`select attname as name from pg_index
            cross join unnest(string_to_array(indkey::text, ' ')::int[]) with ordinality as part (number, position)
            join pg_attribute on attrelid = indrelid and attnum = number
            where indisprimary and indrelid = ${table}::regclass order by position`
    ),
    (rows) => rows.map(({ name }) => name).filter((name) => name !== projectColumn(table))
  )

const columnList = (names: ReadonlyArray<string>): RawBuilder<unknown> => sql.join(names.map((name) => sql.ref(name)))

/** Calls back with the rows of a project in the order of the primary key, page by page. */
const forEachPage = Effect.fnUntraced(function* <E>(
  db: Db["Service"],
  table: Table,
  projectId: ProjectId,
  onPage: (rows: ReadonlyArray<Row>) => Effect.Effect<unknown, E>
) {
  const key = yield* primaryKey(db, table)
  let cursorRow: Row | null = null
  for (;;) {
    const lastRow: Row | null = cursorRow
    const isAfter =
      lastRow === null || key.length === 0
        ? sql`true`
        : sql`(${columnList(key)}) > (${sql.join(key.map((name) => lastRow[name]))})`
    const order = key.length === 0 ? sql`` : sql`order by ${columnList(key)}`
    const rows: ReadonlyArray<Row> = yield* db.all<Row>(
      sql`select * from ${sql.table(table)} where ${sql.ref(projectColumn(table))} = ${projectId} and ${isAfter}
        ${order} limit ${PAGE}`
    )
    if (rows.length > 0) yield* onPage(rows)
    if (rows.length < PAGE) return
    cursorRow = rows.at(-1)!
  }
})

/** Number of a project's rows in a table, and the SHA-256 hash of their values. */
export interface TableDigest {
  readonly table: string
  readonly rows: number
  readonly sha256: string
}

const textOf = (row: Row): string =>
  JSON.stringify(
    Object.keys(row)
      .toSorted()
      .map((column) => (typeof row[column] === "bigint" ? String(row[column]) : row[column]))
  )

/** Computes the digests of a project's tables. They are the same for equal rows in both engines. */
export const digestsOf = (db: Db["Service"], projectId: ProjectId): Effect.Effect<ReadonlyArray<TableDigest>> =>
  Effect.forEach(movedTables, (table) =>
    Effect.gen(function* () {
      const hash = createHash("sha256")
      let rows = 0
      yield* forEachPage(db, table, projectId, (page) =>
        Effect.sync(() => {
          rows += page.length
          for (const row of page) hash.update(textOf(row)).update("\n")
        })
      )
      return { table, rows, sha256: hash.digest("hex") }
    })
  )

const insert = (db: Db["Service"], table: Table, rows: ReadonlyArray<Row>, onConflict: RawBuilder<unknown> = sql``) => {
  const columns = Object.keys(rows[0]!)
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`)
  return db.run(sql`insert into ${sql.table(table)} (${columnList(columns)}) values ${sql.join(values)} ${onConflict}`)
}

const DO_NOTHING = sql`on conflict do nothing`

/** Returns the ids of the keys that encrypt personal data of a project. */
const subjectsOf = Effect.fnUntraced(function* (db: Db["Service"], projectId: ProjectId) {
  const sessions = yield* db.all<{ readonly identity_id: string; readonly owner_ids: string }>(
    sql`select identity_id, owner_ids from verification_sessions where project_id = ${projectId}`
  )
  const registrations = yield* db.all<{ readonly identity_id: string }>(
    sql`select distinct identity_id from provider_registrations where project_id = ${projectId}`
  )
  const schedules = yield* db.all<{ readonly individual: string }>(
    sql`select distinct individual from tax_schedules where project_id = ${projectId}`
  )
  return [
    ...new Set([
      ...sessions.flatMap((row) => [row.identity_id, ...(JSON.parse(row.owner_ids) as ReadonlyArray<string>)]),
      ...registrations.map((row) => row.identity_id),
      ...schedules.map(({ individual }) => taxKeyId({ projectId, individual: JSON.parse(individual) }))
    ])
  ]
})

/** Reads the keys of a project's personal data. During a purge the second table contains some of them. */
export const subjectKeysOf = Effect.fnUntraced(function* (db: Db["Service"], projectId: ProjectId) {
  const ids = yield* subjectsOf(db, projectId)
  const pages = yield* Effect.forEach(Array.chunksOf(ids, PAGE), (chunk) =>
    db.all<Tables["subject_keys"]>(
      sql`select id, secrets from subject_keys where id in (${sql.join(chunk)})
        union all select id, secrets from moved_subject_keys where id in (${sql.join(chunk)})`
    )
  )
  return pages.flat()
})

/** Tables of the cell with rows for single addresses, which other projects may also have registered. */
const ADDRESS_TABLES = ["wallet_deployments", "sightings", "bitcoin_sightings", "unlisted_counts"] as const

/**
 * Copies rows of the cell that a project's work needs: detected transfers, deployments, keys of personal data, and the
 * blocks up to which liquidations are known. The target searches past blocks for transfers that its own watcher has
 * missed.
 */
const copyCellRows = Effect.fnUntraced(function* (
  source: Db["Service"],
  target: Db["Service"],
  projectId: ProjectId,
  now: number
) {
  const wallets = yield* source.all<{ readonly address: string }>(
    sql`select address from wallets where project_id = ${projectId} order by address`
  )
  for (const chunk of Array.chunksOf(
    wallets.map(({ address }) => address),
    PAGE
  )) {
    for (const table of ADDRESS_TABLES) {
      const rows = yield* source.all<Row>(sql`select * from ${sql.table(table)} where address in (${sql.join(chunk)})`)
      for (const page of Array.chunksOf(rows, PAGE)) yield* insert(target, table, page, DO_NOTHING)
    }
    const isOnEvm = (address: string) => address.startsWith("0x")
    const evmAddresses = chunk.filter(isOnEvm).map((address) => sql`(${address})`)
    if (evmAddresses.length > 0) {
      yield* target.run(sql`
        insert into wallet_backfills (chain_id, address, next_block, to_block)
        select chain_id, wallet.address, null, null
        from watched_chains cross join (values ${sql.join(evmAddresses)}) as wallet (address) where chain_id <> 0
        on conflict (chain_id, address) do update set next_block = null, to_block = null`)
    }
    const bitcoinAddresses = chunk.filter((address) => !isOnEvm(address))
    const poll = { active_at: now, due_at: now, to_height: 0, after_txid: null, read_count: 0, version: 0 }
    if (bitcoinAddresses.length > 0) {
      const polls = bitcoinAddresses.map((address) => ({ address, ...poll }))
      yield* insert(target, "bitcoin_looks", polls, DO_NOTHING)
    }
  }
  const cursors = yield* source.all<Row>(
    sql`select * from loan_cursors where chain_id in (select chain_id from watched_loans where project_id = ${projectId})`
  )
  if (cursors.length > 0) {
    yield* insert(
      target,
      "loan_cursors",
      cursors,
      sql`on conflict (chain_id) do update set block_number = excluded.block_number
        where loan_cursors.block_number > excluded.block_number`
    )
  }
  const keys = yield* subjectKeysOf(source, projectId)
  for (const page of Array.chunksOf(keys, PAGE)) yield* insert(target, "subject_keys", page, DO_NOTHING)
})

const DAY_MS = 86_400_000

/**
 * Attaches the archive partitions for the months of the project's archive, including executions that the source may
 * archive in the meantime. Months that the target has detached are attached again, because their tables may contain an
 * earlier copy of the rows.
 */
const attachArchive = Effect.fnUntraced(function* (source: Db["Service"], target: Db["Service"], projectId: ProjectId) {
  const days = yield* source.all<{ readonly day: number }>(
    sql`select distinct ended_at / ${sql.lit(DAY_MS)} as day from (
      select ended_at from archived_executions where project_id = ${projectId}
      union all select ended_at from executions where project_id = ${projectId} and ended_at is not null) as ended`
  )
  yield* attachMonths(
    target,
    days.map(({ day }) => instantOf(day * DAY_MS))
  )
})

/**
 * Removes the keys of an earlier copy, so that the target has no key that was erased in the meantime. The target's
 * service then also purges them from its database files.
 */
const removeSubjectKeys = Effect.fnUntraced(function* (target: Db["Service"], ids: ReadonlyArray<string>) {
  let removedCount = 0
  for (const table of ["subject_keys", "moved_subject_keys"] as const) {
    for (const chunk of Array.chunksOf(ids, PAGE)) {
      removedCount += yield* target.run(sql`delete from ${sql.table(table)} where id in (${sql.join(chunk)})`)
    }
  }
  if (removedCount > 0) yield* recordErasure(target)
})

/** Removes an earlier copy and copies the project's rows, in one transaction. The copy is paused. */
export const copyRows = (source: Db["Service"], target: Db["Service"], projectId: ProjectId, now: number) =>
  target.transaction(
    Effect.gen(function* () {
      yield* attachArchive(source, target, projectId)
      yield* removeSubjectKeys(target, yield* subjectsOf(target, projectId))
      for (const table of movedTables.toReversed()) {
        yield* target.run(sql`delete from ${sql.table(table)} where ${sql.ref(projectColumn(table))} = ${projectId}`)
      }
      yield* target.run(sql`insert into project_moves (project_id, state) values (${projectId}, 'ARRIVING')
        on conflict (project_id) do update set state = 'ARRIVING', target = null`)
      for (const table of movedTables) {
        yield* forEachPage(source, table, projectId, (rows) => insert(target, table, rows))
      }
      yield* copyCellRows(source, target, projectId, now)
    })
  )
