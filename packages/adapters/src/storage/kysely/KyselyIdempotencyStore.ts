import { type Admission, IdempotencyStore, type IdempotentRequest } from "@countersign/core/tenancy/idempotency"
import { Scope } from "@countersign/core/tenancy/projects"
import { Effect, Layer, Option, Schema } from "effect"
import { checkType, millisOf } from "./codec.ts"
import { Db } from "./Db.ts"

const checkedScope = checkType(Schema.NullOr(Scope))

export const layer = Layer.effect(
  IdempotencyStore,
  Effect.gen(function* () {
    const db = yield* Db

    const find = ({ key, projectId }: IdempotentRequest) =>
      db.first(
        db.query
          .selectFrom("idempotent_requests")
          .select(["fingerprint", "answer", "scope", "locked_until", "created_at"])
          .where(({ and }) => and({ project_id: projectId, idempotency_key: key }))
      )

    /**
     * Replaces an entry that is too old, or whose process has died, unless another process replaces it concurrently.
     */
    const reclaimKey = (
      request: IdempotentRequest,
      entry: { readonly created_at: number; readonly locked_until: number },
      newColumns: object
    ) =>
      Effect.map(
        db.run(
          db.query
            .updateTable("idempotent_requests")
            .set({ ...newColumns, fingerprint: request.fingerprint, answer: null, scope: null })
            .where(({ and }) =>
              and({
                project_id: request.projectId,
                idempotency_key: request.key,
                created_at: entry.created_at,
                locked_until: entry.locked_until
              })
            )
        ),
        (changes): Admission => (changes > 0 ? { _tag: "First" } : { _tag: "Running" })
      )

    return IdempotencyStore.of({
      admit: Effect.fnUntraced(function* (request, { deleteBefore, lockedUntil, now }) {
        const newRow = { locked_until: millisOf(lockedUntil), created_at: millisOf(now) }
        const insertCount = yield* db.run(
          db.query
            .insertInto("idempotent_requests")
            .values({
              ...newRow,
              project_id: request.projectId,
              idempotency_key: request.key,
              fingerprint: request.fingerprint,
              answer: null,
              scope: null
            })
            .onConflict((conflict) => conflict.doNothing())
        )
        if (insertCount > 0) return { _tag: "First" }
        const entry = yield* find(request)
        // The entry was removed between the two queries, so the caller tries again.
        if (Option.isNone(entry)) return { _tag: "Running" }
        if (entry.value.created_at < millisOf(deleteBefore)) return yield* reclaimKey(request, entry.value, newRow)
        if (entry.value.fingerprint !== request.fingerprint) return { _tag: "Reused" }
        const { answer: text, scope } = entry.value
        if (text !== null) return { _tag: "Answered", response: { text, scope: checkedScope(scope) } }
        return entry.value.locked_until <= millisOf(now)
          ? yield* reclaimKey(request, entry.value, newRow)
          : { _tag: "Running" }
      }),
      renew: (request, { from, to }) =>
        Effect.asVoid(
          db.run(
            db.query
              .updateTable("idempotent_requests")
              .set({ locked_until: millisOf(to) })
              .where(({ and }) =>
                and({ project_id: request.projectId, idempotency_key: request.key, locked_until: millisOf(from) })
              )
              .where("answer", "is", null)
          )
        ),
      finish: (request, response) =>
        Effect.asVoid(
          db.run(
            db.query
              .updateTable("idempotent_requests")
              .set({ answer: response.text, scope: response.scope })
              .where(({ and }) =>
                and({ project_id: request.projectId, idempotency_key: request.key, fingerprint: request.fingerprint })
              )
          )
        ),
      abandon: (request) =>
        Effect.asVoid(
          db.run(
            db.query
              .deleteFrom("idempotent_requests")
              .where(({ and }) =>
                and({ project_id: request.projectId, idempotency_key: request.key, fingerprint: request.fingerprint })
              )
              .where("answer", "is", null)
          )
        )
    })
  })
)
