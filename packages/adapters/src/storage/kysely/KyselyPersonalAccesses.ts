import { PersonalAccess, PersonalAccesses } from "@countersign/core/identity"
import { DateTime, Effect, Layer } from "effect"
import { Instant, millisOf, rowCodec } from "./codec.ts"
import { Db } from "./Db.ts"

const accessRow = rowCodec(PersonalAccess, { lastAt: Instant })

export const layer = Layer.effect(
  PersonalAccesses,
  Effect.gen(function* () {
    const db = yield* Db
    return PersonalAccesses.of({
      record: (access) => {
        const row = accessRow.rowOf({ ...access, day: DateTime.formatIsoDateUtc(access.lastAt), times: 1 })
        const last_at = millisOf(access.lastAt)
        return Effect.asVoid(
          db.run(
            db.query
              .insertInto("personal_accesses")
              .values(row)
              .onConflict((conflict) =>
                conflict
                  .columns(["project_id", "identity_id", "action", "reader", "day"])
                  .doUpdateSet(({ eb, ref }) => ({
                    times: eb("personal_accesses.times", "+", 1),
                    // Keeps the later time, because two concurrent accesses may be stored in the reverse order.
                    last_at: eb
                      .case()
                      .when("personal_accesses.last_at", "<", last_at)
                      .then(last_at)
                      .else(ref("personal_accesses.last_at"))
                      .end()
                  }))
              )
          )
        )
      },
      list: (projectId, identityId, limit) => {
        const projectAccesses = db.query
          .selectFrom("personal_accesses")
          .select(accessRow.columns)
          .where("project_id", "=", projectId)
        const identityAccesses =
          identityId === null ? projectAccesses : projectAccesses.where("identity_id", "=", identityId)
        return Effect.map(
          db.all(identityAccesses.orderBy("last_at", "desc").orderBy("action").orderBy("reader").limit(limit)),
          (rows) => rows.map(accessRow.fromRow)
        )
      }
    })
  })
)
