import { type RawBuilder, sql } from "kysely"
import type { Db } from "./Db.ts"
import type { Tables } from "./migrations/index.ts"

/** Tables whose rows are work: `due_at` says when, and a claim keeps others away until `claimed_until`. */
type WorkTable = "executions" | "webhook_deliveries" | "indexed_pools" | "tax_runs" | "watched_chains"

interface DueRows {
  readonly from: WorkTable
  readonly key: RawBuilder<unknown>
  /** Which of those that are due; all where it is left out. */
  readonly only?: RawBuilder<unknown> | undefined
  readonly order: RawBuilder<unknown>
  readonly limit: number
  readonly now: number
  readonly until: number
  /** The mark by which the claim is recognised later. */
  readonly mark: RawBuilder<unknown>
  readonly returning: RawBuilder<unknown>
}

/** No claim is held on the row, or one whose time is over. */
export const isFree = (table: keyof Tables, now: number): RawBuilder<boolean> => {
  const claimedUntil = sql.ref(`${table}.claimed_until`)
  return sql<boolean>`(${claimedUntil} is null or ${claimedUntil} <= ${now})`
}

/**
 * Ends a selection of rows that are then written. Postgres leaves out those that another transaction has locked, instead of
 * waiting for it; SQLite runs one writing statement at a time.
 */
export const skipLocked = ({ dialect }: Db["Service"]): RawBuilder<unknown> =>
  dialect === "postgres" ? sql`for update skip locked` : sql``

/** Claims rows that are due and free in one statement, which gives them in no order. */
export const claimingDue = <Row>(
  db: Db["Service"],
  { from, key, limit, mark, now, only = sql`true`, order, returning, until }: DueRows
): RawBuilder<Row> => sql<Row>`
  with due as (
    select ${key} from ${sql.table(from)}
    where due_at <= ${now} and ${isFree(from, now)} and ${only}
    order by ${order} limit ${limit} ${skipLocked(db)}
  )
  update ${sql.table(from)} set claimed_until = ${until}, ${mark}
  where (${key}) in (select ${key} from due)
  returning ${returning}`

/** Longest due first. */
export const byDueTime = (
  a: { readonly due_at: number | null; readonly id: string },
  b: { readonly due_at: number | null; readonly id: string }
): number => (a.due_at ?? 0) - (b.due_at ?? 0) || (a.id < b.id ? -1 : 1)

/** For a start at which no other process can be alive. */
export const releaseAll = (db: Db["Service"], table: "executions" | "webhook_deliveries" | "tax_runs") =>
  db.run(
    db.query
      .updateTable(table)
      .set({ claimed_by: null, claimed_until: null })
      .where("due_at", "is not", null)
      .where("claimed_until", "is not", null)
  )
