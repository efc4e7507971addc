import { Db } from "@countersign/adapters/storage/kysely"
import { RetentionStore } from "@countersign/core/tenancy/retention"
import { DateTime, Effect } from "effect"
import { sql } from "kysely"

/** The tables that contain rows of every operation and have no retention period. */
const TABLES = [
  "quotes",
  "quote_operations",
  "executions",
  "archived_keys",
  "transactions",
  "transaction_legs",
  "transaction_entries",
  "transaction_kinds",
  "movements",
  "transfer_claims",
  "archived_executions"
] as const
const ARCHIVE = "archived_executions"

const never = DateTime.makeUnsafe(8e15)

const moveAll = (kind: "quotes" | "executions") =>
  RetentionStore.use((store) =>
    Effect.gen(function* () {
      while ((yield* store.prune(kind, never, 1_000)) > 0);
    })
  )

/**
 * The size of each table on Postgres in bytes, with its indexes and without dead rows. `pg_partition_tree` returns no
 * rows for a table without partitions.
 */
const sizes = Effect.gen(function* () {
  const db = yield* Db
  return yield* Effect.forEach(TABLES, (table) =>
    Effect.gen(function* () {
      yield* db.run(sql.raw(`vacuum full ${table}`))
      const [row] = yield* db.all(sql<{ readonly bytes: number }>`
        select coalesce(sum(pg_total_relation_size(relid)), pg_total_relation_size(${table}))::bigint as bytes
        from pg_partition_tree(${table}) where isleaf`)
      return row?.bytes ?? 0
    })
  )
})

/** Returns lines with the size of one operation in each table, before and after its execution is archived. */
export const storedBytes = Effect.gen(function* () {
  const db = yield* Db
  yield* moveAll("quotes")
  yield* db.run(sql`update executions set due_at = null, ended_at = accepted_at where due_at is not null`)
  const [count] = yield* db.all(sql<{ readonly operations: number }>`select count(*) as operations from executions`)
  const sizesBefore = yield* sizes
  yield* moveAll("executions")
  const sizesAfter = yield* sizes
  const line = (name: string, ...bytes: ReadonlyArray<number>) =>
    name.padEnd(40) + bytes.map((each) => (each / count!.operations).toFixed(0).padStart(14)).join("")
  const hot = (all: ReadonlyArray<number>) =>
    all.reduce((sum, bytes, index) => (TABLES[index] === ARCHIVE ? sum : sum + bytes), 0)
  return [
    "bytes per operation".padEnd(40) + ["before", "archived"].map((heading) => heading.padStart(14)).join(""),
    ...TABLES.map((table, index) => line(table, sizesBefore[index]!, sizesAfter[index]!)),
    line("all but the archive", hot(sizesBefore), hot(sizesAfter))
  ]
})
