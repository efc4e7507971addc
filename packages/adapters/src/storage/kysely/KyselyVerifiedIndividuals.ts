import { IndividualId, levelsBelow, VerificationLevel, VerifiedIndividuals } from "@countersign/core/identity"
import { Effect, Layer, Option, Schema } from "effect"
import { instantOf, millisOf } from "./codec.ts"
import { Db } from "./Db.ts"

const levelFrom = Schema.decodeUnknownSync(VerificationLevel)

export const layer = Layer.effect(
  VerifiedIndividuals,
  Effect.gen(function* () {
    const db = yield* Db
    const { query } = db
    return VerifiedIndividuals.of({
      verify: Effect.fnUntraced(function* (projectId, { id, level = "BASIC", verifiedAt }) {
        const insertedCount = yield* db.run(
          query
            .insertInto("verified_individuals")
            .values({ project_id: projectId, id, verified_at: millisOf(verifiedAt), level })
            .onConflict((conflict) => conflict.columns(["project_id", "id"]).doNothing())
        )
        const lowerLevels = levelsBelow(level)
        if (insertedCount === 0 && lowerLevels.length > 0) {
          yield* db.run(
            query
              .updateTable("verified_individuals")
              .set({ level })
              .where(({ and }) => and({ project_id: projectId, id }))
              .where("level", "in", lowerLevels)
          )
        }
        return insertedCount === 1
      }),
      levelOf: (projectId, id) =>
        Effect.map(
          db.first(
            query
              .selectFrom("verified_individuals")
              .select("level")
              .where(({ and }) => and({ project_id: projectId, id }))
          ),
          Option.match({ onNone: () => null, onSome: ({ level }) => levelFrom(level) })
        ),
      revoke: (projectId, id) =>
        Effect.map(
          db.run(query.deleteFrom("verified_individuals").where(({ and }) => and({ project_id: projectId, id }))),
          (removedCount) => removedCount === 1
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
              .select(["id", "verified_at", "level"])
              .where("project_id", "=", projectId)
              .orderBy("id")
          ),
          (rows) =>
            rows.map((row) => ({
              id: IndividualId.make(row.id),
              verifiedAt: instantOf(row.verified_at),
              level: levelFrom(row.level)
            }))
        )
    })
  })
)
