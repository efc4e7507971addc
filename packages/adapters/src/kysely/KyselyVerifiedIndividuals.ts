import { IndividualId, VerifiedIndividuals } from "@countersign/core/identity"
import { Effect, Layer } from "effect"
import { instantOf, millisOf } from "./codec.ts"
import { Db } from "./Db.ts"

export const layer = Layer.effect(
  VerifiedIndividuals,
  Effect.gen(function* () {
    const db = yield* Db
    const { query } = db
    return VerifiedIndividuals.of({
      verify: (projectId, { id, verifiedAt }) =>
        Effect.map(
          db.run(
            query
              .insertInto("verified_individuals")
              .values({ project_id: projectId, id, verified_at: millisOf(verifiedAt) })
              .onConflict((conflict) => conflict.columns(["project_id", "id"]).doNothing())
          ),
          (inserted) => inserted === 1
        ),
      revoke: (projectId, id) =>
        Effect.map(
          db.run(query.deleteFrom("verified_individuals").where(({ and }) => and({ project_id: projectId, id }))),
          (removed) => removed === 1
        ),
      isVerified: (projectId, id) =>
        Effect.map(
          db.all(
            query
              .selectFrom("verified_individuals")
              .select("id")
              .where(({ and }) => and({ project_id: projectId, id }))
          ),
          (rows) => rows.length === 1
        ),
      list: (projectId) =>
        Effect.map(
          db.all(
            query
              .selectFrom("verified_individuals")
              .select(["id", "verified_at"])
              .where("project_id", "=", projectId)
              .orderBy("id")
          ),
          (rows) => rows.map((row) => ({ id: IndividualId.make(row.id), verifiedAt: instantOf(row.verified_at) }))
        )
    })
  })
)
