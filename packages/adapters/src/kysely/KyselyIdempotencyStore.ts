import { type Admission, IdempotencyStore, type IdempotentRequest } from "@countersign/core/idempotency"
import { Scope } from "@countersign/core/projects"
import { Effect, Layer, Option, Schema } from "effect"
import { checked, millisOf } from "./codec.ts"
import { Db } from "./Db.ts"

const checkedScope = checked(Schema.NullOr(Scope))

export const layer = Layer.effect(
  IdempotencyStore,
  Effect.gen(function* () {
    const db = yield* Db

    const find = ({ key, projectId }: IdempotentRequest) =>
      db.first(
        db.query
          .selectFrom("idempotent_requests")
          .select(["fingerprint", "answer", "scope", "locked_until", "created_at"])
          .where("project_id", "=", projectId)
          .where("idempotency_key", "=", key)
      )

    /** Replaces an entry that is too old or whose process died, unless somebody else does so at the same time. */
    const takeOver = (
      request: IdempotentRequest,
      seen: { readonly created_at: number; readonly locked_until: number },
      fresh: object
    ) =>
      Effect.map(
        db.run(
          db.query
            .updateTable("idempotent_requests")
            .set({ ...fresh, fingerprint: request.fingerprint, answer: null, scope: null })
            .where("project_id", "=", request.projectId)
            .where("idempotency_key", "=", request.key)
            .where("created_at", "=", seen.created_at)
            .where("locked_until", "=", seen.locked_until)
        ),
        (changes): Admission => (changes > 0 ? { _tag: "First" } : { _tag: "Running" })
      )

    return IdempotencyStore.of({
      admit: Effect.fnUntraced(function* (request, { forgetBefore, lockedUntil, now }) {
        const fresh = { locked_until: millisOf(lockedUntil), created_at: millisOf(now) }
        const inserted = yield* db.run(
          db.query
            .insertInto("idempotent_requests")
            .values({
              ...fresh,
              project_id: request.projectId,
              idempotency_key: request.key,
              fingerprint: request.fingerprint,
              answer: null,
              scope: null
            })
            .onConflict((conflict) => conflict.doNothing())
        )
        if (inserted > 0) return { _tag: "First" }
        const seen = yield* find(request)
        // Abandoned between the two queries: the caller asks again.
        if (Option.isNone(seen)) return { _tag: "Running" }
        if (seen.value.created_at < millisOf(forgetBefore)) return yield* takeOver(request, seen.value, fresh)
        if (seen.value.fingerprint !== request.fingerprint) return { _tag: "Reused" }
        const { answer: text, scope } = seen.value
        if (text !== null) return { _tag: "Answered", answer: { text, scope: checkedScope(scope) } }
        return seen.value.locked_until <= millisOf(now)
          ? yield* takeOver(request, seen.value, fresh)
          : { _tag: "Running" }
      }),
      renew: (request, { from, to }) =>
        Effect.asVoid(
          db.run(
            db.query
              .updateTable("idempotent_requests")
              .set({ locked_until: millisOf(to) })
              .where("project_id", "=", request.projectId)
              .where("idempotency_key", "=", request.key)
              .where("locked_until", "=", millisOf(from))
              .where("answer", "is", null)
          )
        ),
      finish: (request, answer) =>
        Effect.asVoid(
          db.run(
            db.query
              .updateTable("idempotent_requests")
              .set({ answer: answer.text, scope: answer.scope })
              .where("project_id", "=", request.projectId)
              .where("idempotency_key", "=", request.key)
              .where("fingerprint", "=", request.fingerprint)
          )
        ),
      abandon: (request) =>
        Effect.asVoid(
          db.run(
            db.query
              .deleteFrom("idempotent_requests")
              .where("project_id", "=", request.projectId)
              .where("idempotency_key", "=", request.key)
              .where("fingerprint", "=", request.fingerprint)
              .where("answer", "is", null)
          )
        )
    })
  })
)
