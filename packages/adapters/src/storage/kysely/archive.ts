import { type DateTime, Effect } from "effect"
import { sql } from "kysely"
import { attachMonths } from "./archiveMonths.ts"
import { skipLocked } from "./claims.ts"
import { instantOf, millisOf } from "./codec.ts"
import type { Db } from "./Db.ts"
import type { Tables } from "./migrations/index.ts"
import { isOneOf, type ProjectRowKey } from "./projectRowKeys.ts"

type EndedExecution = Pick<Tables["executions"], "project_id" | "id" | "quote_id"> & { readonly ended_at: number }

const quote = sql`(
  select quotes.record from quotes
  where quotes.project_id = executions.project_id and quotes.id = executions.quote_id
)`

/**
 * Moves executions that ended before `before` into the archive, with their quotes, oldest first. Returns their number,
 * at most `limit`. Skips executions that another transaction is moving.
 */
export const archiveEnded = (db: Db["Service"], before: DateTime.Utc, limit: number): Effect.Effect<number> =>
  db.transaction(
    Effect.gen(function* () {
      const rows = yield* db.all(sql<EndedExecution>`
        select project_id, id, quote_id, ended_at from executions where ended_at < ${millisOf(before)}
        order by ended_at, id limit ${limit} ${skipLocked(db)}`)
      if (rows.length === 0) return 0
      yield* attachMonths(
        db,
        rows.map(({ ended_at }) => instantOf(ended_at))
      )
      const isEnded = isOneOf(rows.map(({ id, project_id }): ProjectRowKey => [project_id, id]))
      const isQuote = isOneOf(rows.map(({ project_id, quote_id }): ProjectRowKey => [project_id, quote_id]))
      yield* db.run(sql`
        insert into archived_executions (project_id, id, quote_id, ended_at, execution, quote)
        select project_id, id, quote_id, ended_at, record, ${quote} from executions where ${isEnded}`)
      // The id of most quotes is the hash of their operation. A later quote with the same id replaces the entry.
      yield* db.run(sql`
        with due as (select project_id, id, quote_id, ended_at from executions where ${isEnded})
        insert into archived_keys (project_id, lookup_key, execution_id, ended_at)
        select project_id, quote_id, id, ended_at from due
        union all
        select due.project_id, operation.hash, due.id, due.ended_at from due
        join quote_operations as operation
          on operation.project_id = due.project_id and operation.quote_id = due.quote_id
        where operation.hash <> due.quote_id
        on conflict (project_id, lookup_key) do update set
          execution_id = excluded.execution_id, ended_at = excluded.ended_at`)
      yield* db.run(sql`delete from executions where ${isEnded}`)
      yield* db.run(sql`delete from quotes where ${isQuote}`)
      return rows.length
    })
  )
