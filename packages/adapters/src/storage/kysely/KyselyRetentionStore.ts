import { type RetainedKind, RetentionStore } from "@countersign/core/tenancy/retention"
import { Effect, Layer, Option } from "effect"
import { type RawBuilder, sql } from "kysely"
import { archiveEnded } from "./archive.ts"
import { skipLocked } from "./claims.ts"
import { millisOf } from "./codec.ts"
import { Db } from "./Db.ts"
import type { Tables } from "./migrations/index.ts"

type Condition = RawBuilder<unknown>

/** Describes one type of row: its table, its key, and the order in which rows are removed. */
interface RetainedTable {
  readonly table: keyof Tables
  readonly key: ReadonlyArray<string>
  /** Columns of the index that has this order. */
  readonly order: ReadonlyArray<string>
  readonly isOld: (before: number) => Condition
  /** Additional condition for removing a row. */
  readonly isFree?: Condition
  /** Condition for counting a row, if it differs from the one for removing it. */
  readonly isCounted?: (before: number) => Condition
}

/**
 * Builds the condition that an event has no delivery, by a lookup of its first delivery. Postgres would run NOT EXISTS
 * as a join, which may read all deliveries.
 */
const noDelivery = (condition: Condition): Condition =>
  sql`(select id from webhook_deliveries where project_id = events.project_id and event_id = events.id and ${condition} limit 1) is null`

// The status is a literal, because the condition must equal that of the partial index. Neither engine uses the index
// with a parameter.
const retainedTables: Readonly<Record<RetainedKind, RetainedTable>> = {
  quotes: {
    table: "quotes",
    key: ["project_id", "id"],
    order: ["expires_at", "id"],
    isOld: (before) => sql`accepted_at is null and expires_at < ${before}`
  },
  // Also the quotes of orders are deleted, because an order contains its quote.
  fiatQuotes: {
    table: "fiat_quotes",
    key: ["project_id", "id"],
    order: ["expires_at", "id"],
    isOld: (before) => sql`expires_at < ${before}`
  },
  deliveries: {
    table: "webhook_deliveries",
    key: ["project_id", "id"],
    order: ["created_at", "id"],
    isOld: (before) => sql`status <> 'PENDING' and created_at < ${before}`
  },
  events: {
    table: "events",
    key: ["project_id", "id"],
    order: ["at", "id"],
    isOld: (before) => sql`at < ${before}`,
    isFree: noDelivery(sql`true`),
    isCounted: (before) => noDelivery(sql`(status = 'PENDING' or created_at >= ${before})`)
  },
  idempotencyResponses: {
    table: "idempotent_requests",
    key: ["project_id", "idempotency_key"],
    order: ["created_at"],
    isOld: (before) => sql`created_at < ${before}`
  },
  rateWindows: {
    table: "rate_counts",
    key: ["key_id", "window_start"],
    order: ["window_start"],
    // Windows start at full seconds.
    isOld: (before) => sql`window_start < ${Math.ceil(before / 1_000)}`
  },
  unpaidGas: {
    table: "losses",
    key: ["project_id", "id"],
    order: ["at", "project_id", "id"],
    isOld: (before) => sql`at < ${before}`
  },
  executions: {
    table: "executions",
    key: ["project_id", "id"],
    order: ["ended_at", "id"],
    isOld: (before) => sql`ended_at < ${before}`
  }
}

const columns = (names: ReadonlyArray<string>) => sql.join(names.map((name) => sql.ref(name)))

export const layer = Layer.effect(
  RetentionStore,
  Effect.gen(function* () {
    const db = yield* Db

    /** Removes rows. Skips rows that another transaction has locked, because they are being removed or used again. */
    const prune = (
      { isFree = sql`true`, isOld, key, order, table }: RetainedTable,
      before: number,
      limit: number
    ) => sql`
      with due as (
        select ${columns(key)} from ${sql.table(table)} where ${isOld(before)} and ${isFree}
        order by ${columns(order)} limit ${limit} ${skipLocked(db)}
      )
      delete from ${sql.table(table)} where (${columns(key)}) in (select ${columns(key)} from due)`

    const count = ({ isCounted = () => sql`true`, isOld, table }: RetainedTable, before: number) => sql<{
      total: number
    }>`
      select count(*) as total from ${sql.table(table)} where ${isOld(before)} and ${isCounted(before)}`

    return RetentionStore.of({
      prune: (kind, before, limit) =>
        kind === "executions"
          ? archiveEnded(db, before, limit)
          : db.run(prune(retainedTables[kind], millisOf(before), limit)),
      count: (kind, before) =>
        Effect.map(
          db.first(count(retainedTables[kind], millisOf(before))),
          Option.match({ onNone: () => 0, onSome: ({ total }) => total })
        )
    })
  })
)
