import { SETTLING_MINUTES } from "@countersign/core/accounting/tax"
import type { WorkKind } from "@countersign/core/foundation/work"
import { FINALITY, INCLUSION, NEW_ACCEPTANCE_MS } from "@countersign/core/operations/executions"
import { Effect } from "effect"
import { type RawBuilder, sql } from "kysely"
import type { Db } from "./Db.ts"
import { placements } from "./distribution.ts"
import type { Tables } from "./migrations/index.ts"

/**
 * The column with the end of a lease. Before this time no other worker can claim the row. Afterwards the worker that
 * claimed it is treated as dead.
 */
type LeaseColumn = "claimed_until" | "leased_until"

/** The tables with a lease. If a table has no description below, this is a type error. */
export type ClaimedTable = {
  [T in keyof Tables]: Extract<keyof Tables[T], LeaseColumn> extends never ? never : T
}[keyof Tables]

interface Claimable<T extends ClaimedTable> {
  readonly key: ReadonlyArray<keyof Tables[T] & string>
  /** Order of claims, starting with the due time. Empty if a row represents a role that a worker claims. */
  readonly order:
    | readonly []
    | readonly [keyof Tables[T] & ("due_at" | "check_at"), ...ReadonlyArray<keyof Tables[T] & "id">]
  readonly lease: keyof Tables[T] & LeaseColumn
  /**
   * Column that identifies a claim: the worker's name, or a number that increases with each claim. Null if the store
   * compares other state.
   */
  readonly claimColumn: (keyof Tables[T] & ("claimed_by" | "version")) | null
  /**
   * Condition of the rows that can be claimed. Its constants are literals, because it must equal the condition of a
   * partial index.
   */
  readonly condition?: string
  /** Kind of work that the claiming workers wait for. Null if a row represents a role that a worker holds. */
  readonly kind: WorkKind | null
}

const claimable: { readonly [T in ClaimedTable]: Claimable<T> } = {
  executions: {
    key: ["project_id", "id"],
    order: ["due_at", "id"],
    lease: "claimed_until",
    claimColumn: "claimed_by",
    kind: "EXECUTIONS"
  },
  webhook_deliveries: {
    key: ["project_id", "id"],
    order: ["due_at", "id"],
    lease: "claimed_until",
    claimColumn: "claimed_by",
    kind: "WEBHOOK_DELIVERIES"
  },
  tax_runs: {
    key: ["project_id", "id"],
    order: ["due_at", "id"],
    lease: "claimed_until",
    claimColumn: "claimed_by",
    kind: "TAX_RUNS"
  },
  watched_chains: {
    key: ["chain_id"],
    order: ["due_at"],
    lease: "claimed_until",
    claimColumn: "version",
    kind: "CHAINS"
  },
  indexed_pools: {
    key: ["chain_id", "address"],
    order: ["due_at"],
    lease: "claimed_until",
    claimColumn: "version",
    kind: "POOLS"
  },
  operator_lanes: {
    key: ["chain_id", "operator", "role"],
    order: [],
    lease: "claimed_until",
    claimColumn: "claimed_by",
    kind: null
  },
  provider_registrations: {
    key: ["project_id", "identity_id", "provider"],
    order: ["check_at"],
    lease: "leased_until",
    claimColumn: null,
    kind: "PROVIDER_REGISTRATIONS"
  },
  verification_sessions: {
    key: ["project_id", "id"],
    order: ["check_at"],
    lease: "claimed_until",
    claimColumn: null,
    condition: "status = 'VERIFYING'",
    kind: "VERIFICATION_SESSIONS"
  }
}

/** The stages of an operation in a bundle that an operator account sends, until the bundle is final. */
export const OPERATOR_STAGES = [INCLUSION, FINALITY] as const

/** Column values of an unclaimed row. */
export const NO_CLAIM = { claimed_by: null, claimed_until: null } as const

/** Selects rows that have no claim, or whose lease has expired. */
export const isFree = (table: ClaimedTable, now: number): RawBuilder<boolean> => {
  const lease = sql.ref(`${table}.${claimable[table].lease}`)
  return sql<boolean>`(${lease} is null or ${lease} <= ${now})`
}

/**
 * Returns the clause `for update skip locked`: Postgres skips rows that another transaction has locked. Empty for
 * SQLite, which runs one write at a time.
 */
export const skipLocked = ({ dialect }: Db["Service"]): RawBuilder<unknown> =>
  dialect === "postgres" ? sql`for update skip locked` : sql``

const isOfProject = (table: ClaimedTable): boolean => placements[table] === "distributed"

/** The tables with claimable rows of projects, and the columns with the end of their leases. */
export const projectLeases: ReadonlyArray<readonly [table: ClaimedTable, lease: LeaseColumn]> = (
  Object.keys(claimable) as ReadonlyArray<ClaimedTable>
).flatMap((table) => (isOfProject(table) ? [[table, claimable[table].lease] as const] : []))

/**
 * Excludes paused projects, which are being moved to another database. While the state of a move is MOVING, executions
 * that need this database's operator account continue.
 */
const isActive = (table: ClaimedTable): RawBuilder<unknown> => {
  if (!isOfProject(table)) return sql`true`
  const isPaused =
    table === "executions"
      ? sql`(move.state <> 'MOVING' or executions.stage not in (${sql.join(OPERATOR_STAGES.map((stage) => sql.lit(stage)))}))`
      : sql`true`
  const projectId = sql.ref(`${table}.project_id`)
  return sql`not exists (select 1 from project_moves as move where move.project_id = ${projectId} and ${isPaused})`
}

interface ClaimOptions {
  readonly limit: number
  readonly now: number
  readonly until: number
  /** For a table with worker names. */
  readonly worker?: string
  /** Additional condition on the due rows; by default none. */
  readonly condition?: RawBuilder<unknown> | undefined
  /** By default the rows with the longest wait come first. */
  readonly order?: RawBuilder<unknown> | undefined
  readonly returning: ReadonlyArray<string | RawBuilder<unknown>>
}

const claimAssignment = (table: ClaimedTable, worker: string | undefined): RawBuilder<unknown> => {
  switch (claimable[table].claimColumn) {
    case "claimed_by":
      return sql`, claimed_by = ${worker}`
    case "version":
      return sql`, version = version + 1`
    case null:
      return sql``
  }
}

const columnList = (columns: ReadonlyArray<string | RawBuilder<unknown>>): RawBuilder<unknown> =>
  sql.join(columns.map((column) => (typeof column === "string" ? sql.ref(column) : column)))

/** Claims rows that are due and unclaimed, in one statement. The result is not sorted. */
export const claimDue = <Row>(
  db: Db["Service"],
  table: Exclude<ClaimedTable, "operator_lanes">,
  { limit, now, condition = sql`true`, order, returning, until, worker }: ClaimOptions
): RawBuilder<Row> => {
  const { key, lease, condition: isWork = "true", order: longestDue } = claimable[table]
  return sql<Row>`
    with due as (
      select ${columnList(key)} from ${sql.table(table)}
      where ${sql.ref(longestDue[0]!)} <= ${now} and ${sql.raw(isWork)} and ${isFree(table, now)} and ${isActive(table)} and ${condition}
      order by ${order ?? columnList(longestDue)} limit ${limit} ${skipLocked(db)}
    )
    update ${sql.table(table)} set ${sql.ref(lease)} = ${until}${claimAssignment(table, worker)}
    where (${columnList(key)}) in (select ${columnList(key)} from due)
    returning ${columnList(returning)}`
}

/** Maximum number of due rows per table in one read. If there are more, workers claim until none is left. */
const UPCOMING_LIMIT = 1_000
/** Due times are rounded up to a multiple of this, so that a read returns few rows. */
const UPCOMING_TICK_MS = 100

/** Work in the database, and the Unix milliseconds at which a worker can claim it. */
export interface UpcomingWork {
  readonly kind: WorkKind
  readonly at: number
}

const upcomingIn = (kind: WorkKind, rows: RawBuilder<unknown>) => sql`
  select distinct ${sql.lit(kind)} as kind, at / ${sql.lit(UPCOMING_TICK_MS)} * ${sql.lit(UPCOMING_TICK_MS)}
    + ${sql.lit(UPCOMING_TICK_MS)} as at
  from (${rows}) as ${sql.ref(`upcoming_${kind.toLowerCase()}`)}`

const upcomingIf = (kind: WorkKind, condition: RawBuilder<unknown>) =>
  sql`select ${sql.lit(kind)} as kind, ${sql.lit(0)} as at where exists (${condition})`

/**
 * Builds the statement that returns the kinds of work, and the times until `untilMs` at which a worker can claim it.
 */
export const upcomingWork = (nowMs: number, untilMs: number): RawBuilder<UpcomingWork> => {
  const claims = (Object.keys(claimable) as ReadonlyArray<ClaimedTable>).flatMap((table) => {
    const { kind, lease: leaseColumn, condition = "true", order } = claimable[table]
    const [dueColumn] = order
    if (kind === null || dueColumn === undefined) return []
    const [due, lease] = [sql.ref(dueColumn), sql.ref(leaseColumn)]
    const rows = sql`
      select case when ${lease} > ${due} then ${lease} else ${due} end as at from ${sql.table(table)}
      where ${due} <= ${untilMs} and ${sql.raw(condition)} and (${lease} is null or ${lease} <= ${untilMs}) and ${isActive(table)}
      order by ${due} limit ${sql.lit(UPCOMING_LIMIT)}`
    return [upcomingIn(kind, rows)]
  })
  const settlingMs = SETTLING_MINUTES * 60_000
  const otherStatements = [
    upcomingIn(
      "TAX_RUNS",
      sql`select next_end_at + ${sql.lit(settlingMs)} as at from tax_schedules
        where next_end_at <= ${untilMs - settlingMs} order by next_end_at limit ${sql.lit(UPCOMING_LIMIT)}`
    ),
    upcomingIf(
      "NEW_EXECUTIONS",
      sql`select 1 from executions
        where accepted_at > ${nowMs - NEW_ACCEPTANCE_MS} and due_at <= ${nowMs} and ${isFree("executions", nowMs)}`
    ),
    upcomingIf("LOANS", sql`select 1 from watched_loans`),
    upcomingIf("OPERATOR_TRANSACTIONS", sql`select 1 from operator_transactions where watched = 1`),
    upcomingIf(
      "CHAIN_ACTIVITY",
      sql`select 1 from watched_chains as chain where claimed_until > ${nowMs} and (
        exists (select 1 from wallet_backfills as backfill where backfill.chain_id = chain.chain_id)
        or exists (
          select 1 from sightings as sighting
          where sighting.chain_id = chain.chain_id and sighting.due_at is not null and sighting.due_at <= ${untilMs}
        ))`
    )
  ]
  return sql<UpcomingWork>`${sql.join([...claims, ...otherStatements], sql` union all `)}`
}

/**
 * Ends a worker's claim and stores changes. If another worker has claimed the row in the meantime, stores nothing and
 * returns false.
 */
export const endClaim = <T extends "executions" | "webhook_deliveries" | "tax_runs">(
  db: Db["Service"],
  table: T,
  { id, projectId, worker }: { readonly projectId: string; readonly id: string; readonly worker: string },
  changes: Partial<Tables[T]> = {}
): Effect.Effect<boolean> => {
  const assignments = Object.entries({ ...changes, ...NO_CLAIM }).map(
    ([column, value]) => sql`${sql.ref(column)} = ${value}`
  )
  return Effect.gen(function* () {
    const changedCount = yield* db.run(
      sql`update ${sql.table(table)} set ${sql.join(assignments)} where project_id = ${projectId} and id = ${id} and claimed_by = ${worker}`
    )
    // A row without a new due time is due immediately.
    const dueAt = "due_at" in changes ? changes.due_at : 0
    const { kind } = claimable[table]
    if (changedCount === 1 && kind !== null && typeof dueAt === "number") yield* db.announce(kind, dueAt)
    return changedCount === 1
  })
}

/** Sorts rows with the longest wait first. */
export const byDueTime = (
  a: { readonly due_at: number | null; readonly id: string },
  b: { readonly due_at: number | null; readonly id: string }
): number => (a.due_at ?? 0) - (b.due_at ?? 0) || (a.id < b.id ? -1 : 1)

/**
 * Returns the next check time of a row that was due at `dueAt`. It is immediate if the row was woken in the meantime.
 */
export const nextCheckAt = <Next extends number | null>(dueAt: number, next: Next): RawBuilder<Next> =>
  sql<Next>`case when check_at = ${dueAt} then cast(${next} as bigint) else check_at end`

/** Releases every claim of a table. The conditions on columns equal those of its partial indexes. */
const releaseTable = (db: Db["Service"], table: ClaimedTable) => {
  const { lease, claimColumn, condition = "true", order } = claimable[table]
  const isClaimed = [...order, lease, ...(claimColumn === null ? [] : [claimColumn])].map(
    (column) => sql`${sql.ref(column)} is not null`
  )
  const resetWorker = claimColumn === "claimed_by" ? sql`, claimed_by = null` : sql``
  return db.run(
    sql`update ${sql.table(table)} set ${sql.ref(lease)} = null${resetWorker}
      where ${sql.join(isClaimed, sql` and `)} and ${sql.raw(condition)}`
  )
}

/** Releases every claim of every table. */
export const releaseAll = (db: Db["Service"]): Effect.Effect<void> =>
  Effect.forEach(Object.keys(claimable) as ReadonlyArray<ClaimedTable>, (table) => releaseTable(db, table), {
    discard: true
  })
