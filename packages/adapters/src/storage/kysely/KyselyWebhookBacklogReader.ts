import { ProjectId } from "@countersign/core/tenancy/projects"
import {
  TROUBLED_ENDPOINTS_MAX,
  type TroubledEndpoint,
  type WebhookBacklog,
  WebhookBacklogReader
} from "@countersign/core/tenancy/webhooks"
import { type DateTime, Effect, Layer } from "effect"
import { sql } from "kysely"
import { instantOrNull, millisOf } from "./codec.ts"
import { Db } from "./Db.ts"
import type { Tables } from "./migrations/index.ts"

type EndpointKey = Pick<Tables["webhook_endpoints"], "project_id" | "id">

/**
 * Reads the backlog from the indexes of pending work. If an index is partial, the constants of its condition are
 * literals in the query, because neither engine uses the index with parameters.
 */
const readBacklog = (db: Db["Service"]) => {
  const findDue = db.prepare((query, { now }: { now: number }) =>
    query
      .selectFrom("webhook_deliveries")
      .select(({ fn }) => [fn.countAll<number>().as("due"), fn.min("due_at").as("oldest")])
      .where("due_at", "<=", now)
  )

  const findRetrying = db.prepare((query, { limit }: { limit: number }) =>
    query
      .selectFrom("webhook_deliveries")
      .select(["project_id", "endpoint_id as id"])
      .where("due_at", "is not", null)
      .where("attempts", ">", sql.lit(0))
      .groupBy(["project_id", "endpoint_id"])
      .orderBy("project_id")
      .orderBy("endpoint_id")
      .limit(limit)
  )

  const findDisabled = db.prepare((query, { limit }: { limit: number }) =>
    query
      .selectFrom("webhook_endpoints")
      .select(["project_id", "id"])
      .where("disabled_at", "is not", null)
      .orderBy("disabled_at", "desc")
      .orderBy("id")
      .limit(limit)
  )

  /** Reads the endpoint, the number of its pending deliveries, and the failed delivery that is due next. */
  const findEndpoint = db.prepare((query, { id, projectId }: { id: string; projectId: string }) =>
    query
      .selectFrom("webhook_endpoints as endpoint")
      .leftJoin("webhook_deliveries as failed", (join) =>
        join
          .onRef("failed.project_id", "=", "endpoint.project_id")
          .on("failed.id", "=", ({ selectFrom }) =>
            selectFrom("webhook_deliveries")
              .select("id")
              .whereRef("project_id", "=", "endpoint.project_id")
              .whereRef("endpoint_id", "=", "endpoint.id")
              .where("due_at", "is not", null)
              .where("attempts", ">", sql.lit(0))
              .orderBy("due_at")
              .orderBy("id")
              .limit(sql.lit(1))
          )
      )
      .select(({ selectFrom }) => [
        "endpoint.id",
        "endpoint.project_id",
        "endpoint.url",
        "endpoint.failing_since",
        "endpoint.disabled_at",
        "endpoint.disabled_reason",
        "failed.last_status",
        "failed.last_error",
        "failed.due_at",
        selectFrom("webhook_deliveries")
          .select(({ fn }) => fn.countAll<number>().as("count"))
          .whereRef("project_id", "=", "endpoint.project_id")
          .whereRef("endpoint_id", "=", "endpoint.id")
          .where("status", "=", sql.lit("PENDING"))
          .as("pending")
      ])
      .where("endpoint.project_id", "=", projectId)
      .where("endpoint.id", "=", id)
  )

  /** Reads an endpoint that is disabled or has failed deliveries; empty if it was deleted in the meantime. */
  const readFailingEndpoint = ({ id, project_id: projectId }: EndpointKey) =>
    Effect.map(findEndpoint({ id, projectId }), (rows) =>
      rows.map(
        (row): TroubledEndpoint => ({
          endpointId: row.id,
          projectId: ProjectId.make(row.project_id),
          host: new URL(row.url).host,
          pending: row.pending ?? 0,
          lastStatus: row.last_status,
          lastError: row.last_error,
          nextAttemptAt: instantOrNull(row.due_at),
          failingSince: instantOrNull(row.failing_since),
          disabledAt: instantOrNull(row.disabled_at),
          disabledReason: row.disabled_reason
        })
      )
    )

  return Effect.fnUntraced(function* (now: DateTime.Utc) {
    const [dueSummary] = yield* findDue({ now: millisOf(now) })
    const limit = TROUBLED_ENDPOINTS_MAX
    const rows = [...(yield* findRetrying({ limit })), ...(yield* findDisabled({ limit }))]
    const endpoints = new Map(rows.map((row) => [row.id, row]))
    const backlog: WebhookBacklog = {
      due: dueSummary?.due ?? 0,
      oldestDueAt: instantOrNull(dueSummary?.oldest ?? null),
      troubled: (yield* Effect.forEach(endpoints.values(), readFailingEndpoint)).flat()
    }
    return backlog
  })
}

export const layer = Layer.effect(
  WebhookBacklogReader,
  Effect.map(Db, (db) => WebhookBacklogReader.of({ read: readBacklog(db) }))
)
