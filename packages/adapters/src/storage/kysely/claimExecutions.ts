import type { Claim } from "@countersign/core/operations/executions"
import { Effect } from "effect"
import { sql } from "kysely"
import { byDueTime, claimDue } from "./claims.ts"
import { millisOf } from "./codec.ts"
import type { Db } from "./Db.ts"
import type { Tables } from "./migrations/index.ts"

interface ClaimParameters extends Record<string, unknown> {
  readonly worker: string
  readonly now: number
  readonly until: number
  readonly limit: number
  readonly acceptedAfter: number
}

type Row = Pick<Tables["executions"], "id" | "due_at" | "accepted_at" | "record" | "version"> & {
  readonly quote: string
}

const quote = sql`(
  select quotes.record from quotes
  where quotes.project_id = executions.project_id and quotes.id = executions.quote_id
) as quote`

const byAcceptance = (a: Row, b: Row): number => b.accepted_at - a.accepted_at || (a.id > b.id ? -1 : 1)

/** Claims due executions, each with its quote. */
export const claimExecutions = (db: Db["Service"]) => {
  const claimBy = (isNewest: boolean) =>
    db.prepare((_, { acceptedAfter, limit, now, until, worker }: ClaimParameters) =>
      claimDue<Row>(db, "executions", {
        limit,
        now,
        until,
        worker,
        ...(isNewest ? { condition: sql`accepted_at > ${acceptedAfter}`, order: sql`accepted_at desc, id desc` } : {}),
        returning: ["id", "due_at", "accepted_at", "record", "version", quote]
      })
    )
  const claimLongestDue = claimBy(false)
  const claimNewest = claimBy(true)

  return ({ acceptedAfter, leaseUntil, limit, now, worker }: Claim) => {
    const claimParameters = { worker, now: millisOf(now), until: millisOf(leaseUntil), limit }
    return acceptedAfter === undefined
      ? Effect.map(claimLongestDue({ ...claimParameters, acceptedAfter: 0 }), (rows) => rows.toSorted(byDueTime))
      : Effect.map(claimNewest({ ...claimParameters, acceptedAfter: millisOf(acceptedAfter) }), (rows) =>
          rows.toSorted(byAcceptance)
        )
  }
}
