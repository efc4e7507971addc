import { type RetainedKind, RetentionStore } from "@countersign/core/retention"
import { Effect, Layer, Option } from "effect"
import { type SelectQueryBuilder, sql } from "kysely"
import { millisOf } from "./codec.ts"
import { Db, type Query } from "./Db.ts"

/** Written into the text, because an index is partial by it: neither engine takes a parameter for its constant. */
const PENDING = sql.lit("PENDING")

export const layer = Layer.effect(
  RetentionStore,
  Effect.gen(function* () {
    const db = yield* Db
    const { query } = db

    const isOld = {
      quotes: (before: number) =>
        query.selectFrom("quotes").where("accepted_at", "is", null).where("expires_at", "<", before),
      deliveries: (before: number) =>
        query.selectFrom("webhook_deliveries").where("status", "<>", PENDING).where("created_at", "<", before),
      events: (before: number) => query.selectFrom("events").where("at", "<", before),
      idempotencyAnswers: (before: number) => query.selectFrom("idempotent_requests").where("created_at", "<", before),
      // Windows start at whole seconds.
      rateWindows: (before: number) =>
        query.selectFrom("rate_counts").where("window_start", "<", Math.ceil(before / 1_000)),
      losses: (before: number) => query.selectFrom("losses").where("at", "<", before)
    }

    /** Rows that another transaction has locked are being removed, or used again: Postgres skips them. */
    const free = <DB, TB extends keyof DB, O>(rows: SelectQueryBuilder<DB, TB, O>) =>
      db.dialect === "postgres" ? rows.forUpdate().skipLocked() : rows

    const prune: Record<RetainedKind, (before: number, limit: number) => Query<unknown>> = {
      quotes: (before, limit) =>
        query
          .with("due", () =>
            free(isOld.quotes(before).select(["project_id", "id"]).orderBy("expires_at").orderBy("id").limit(limit))
          )
          .deleteFrom("quotes")
          .where(({ eb, refTuple, selectFrom }) =>
            eb(
              refTuple("project_id", "id"),
              "in",
              selectFrom("due").select(["due.project_id", "due.id"]).$asTuple("project_id", "id")
            )
          ),
      deliveries: (before, limit) =>
        query
          .with("due", () =>
            free(isOld.deliveries(before).select("id").orderBy("created_at").orderBy("id").limit(limit))
          )
          .deleteFrom("webhook_deliveries")
          .where("id", "in", ({ selectFrom }) => selectFrom("due").select("due.id")),
      events: (before, limit) =>
        query
          .with("due", () =>
            free(
              isOld
                .events(before)
                .select("id")
                // A look-up for each: of NOT EXISTS Postgres would make a join, and may read all deliveries for it.
                .where(
                  ({ selectFrom }) =>
                    selectFrom("webhook_deliveries")
                      .select("webhook_deliveries.id")
                      .whereRef("webhook_deliveries.event_id", "=", "events.id")
                      .limit(sql.lit(1)),
                  "is",
                  null
                )
                .orderBy("at")
                .orderBy("id")
                .limit(limit)
            )
          )
          .deleteFrom("events")
          .where("id", "in", ({ selectFrom }) => selectFrom("due").select("due.id")),
      idempotencyAnswers: (before, limit) =>
        query
          .with("due", () =>
            free(
              isOld
                .idempotencyAnswers(before)
                .select(["project_id", "idempotency_key"])
                .orderBy("created_at")
                .limit(limit)
            )
          )
          .deleteFrom("idempotent_requests")
          .where(({ eb, refTuple, selectFrom }) =>
            eb(
              refTuple("project_id", "idempotency_key"),
              "in",
              selectFrom("due")
                .select(["due.project_id", "due.idempotency_key"])
                .$asTuple("project_id", "idempotency_key")
            )
          ),
      rateWindows: (before, limit) =>
        query
          .with("due", () =>
            free(isOld.rateWindows(before).select(["key_id", "window_start"]).orderBy("window_start").limit(limit))
          )
          .deleteFrom("rate_counts")
          .where(({ eb, refTuple, selectFrom }) =>
            eb(
              refTuple("key_id", "window_start"),
              "in",
              selectFrom("due").select(["due.key_id", "due.window_start"]).$asTuple("key_id", "window_start")
            )
          ),
      losses: (before, limit) =>
        query
          .with("due", () =>
            free(
              isOld
                .losses(before)
                .select(["project_id", "id"])
                .orderBy("at")
                .orderBy("project_id")
                .orderBy("id")
                .limit(limit)
            )
          )
          .deleteFrom("losses")
          .where(({ eb, refTuple, selectFrom }) =>
            eb(
              refTuple("project_id", "id"),
              "in",
              selectFrom("due").select(["due.project_id", "due.id"]).$asTuple("project_id", "id")
            )
          )
    }

    const total = sql<number>`count(*)`.as("total")
    const count: Record<RetainedKind, (before: number) => Query<{ readonly total: number }>> = {
      quotes: (before) => isOld.quotes(before).select(total),
      deliveries: (before) => isOld.deliveries(before).select(total),
      events: (before) =>
        isOld
          .events(before)
          .select(total)
          .where(
            ({ selectFrom }) =>
              selectFrom("webhook_deliveries")
                .select("webhook_deliveries.id")
                .whereRef("webhook_deliveries.event_id", "=", "events.id")
                .where(({ eb, or }) =>
                  or([eb("webhook_deliveries.status", "=", PENDING), eb("webhook_deliveries.created_at", ">=", before)])
                )
                .limit(sql.lit(1)),
            "is",
            null
          ),
      idempotencyAnswers: (before) => isOld.idempotencyAnswers(before).select(total),
      rateWindows: (before) => isOld.rateWindows(before).select(total),
      losses: (before) => isOld.losses(before).select(total)
    }

    return RetentionStore.of({
      prune: (kind, before, limit) => db.run(prune[kind](millisOf(before), limit)),
      count: (kind, before) =>
        Effect.map(
          db.first(count[kind](millisOf(before))),
          Option.match({ onNone: () => 0, onSome: (row) => row.total })
        )
    })
  })
)
