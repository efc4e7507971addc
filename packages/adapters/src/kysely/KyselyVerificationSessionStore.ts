import { VerificationSession, VerificationSessionStore } from "@countersign/core/identity"
import { Effect, Layer } from "effect"
import { Instant, Json, millisOf, rowCodec } from "./codec.ts"
import { Db } from "./Db.ts"

const sessionRow = rowCodec(VerificationSession, {
  ownerIds: Json(VerificationSession.fields.ownerIds),
  documents: Json(VerificationSession.fields.documents),
  metadata: Json(VerificationSession.fields.metadata),
  createdAt: Instant,
  updatedAt: Instant,
  expiresAt: Instant
})

export const layer = Layer.effect(
  VerificationSessionStore,
  Effect.gen(function* () {
    const db = yield* Db
    const sessions = () => db.query.selectFrom("verification_sessions").select(sessionRow.columns)
    return VerificationSessionStore.of({
      identityOf: (projectId, fingerprint, fresh) =>
        Effect.gen(function* () {
          const place = { project_id: projectId, fingerprint }
          yield* db.run(
            db.query
              .insertInto("verification_identities")
              .values({ ...place, identity_id: fresh })
              .onConflict((conflict) => conflict.columns(["project_id", "fingerprint"]).doNothing())
          )
          const [known] = yield* db.all(
            db.query
              .selectFrom("verification_identities")
              .select("identity_id")
              .where(({ and }) => and(place))
          )
          return known!.identity_id
        }),
      insert: ({ sealed, session }) =>
        Effect.asVoid(
          db.run(db.query.insertInto("verification_sessions").values({ ...sessionRow.rowOf(session), sealed }))
        ),
      find: (projectId, id) =>
        Effect.map(
          db.all(
            sessions()
              .select("sealed")
              .where(({ and }) => and({ project_id: projectId, id }))
          ),
          ([row]) => {
            if (row === undefined) return null
            const { sealed, ...columns } = row
            return { session: sessionRow.ofRow(columns), sealed }
          }
        ),
      move: ({ id, reason, status, updatedAt }, from) =>
        Effect.map(
          db.run(
            db.query
              .updateTable("verification_sessions")
              .set({ status, reason, updated_at: millisOf(updatedAt) })
              .where(({ and }) => and({ id, status: from }))
          ),
          (changed) => changed === 1
        ),
      list: (projectId, status) => {
        const ofProject = sessions().where("project_id", "=", projectId)
        const asked = status === null ? ofProject : ofProject.where("status", "=", status)
        return Effect.map(db.all(asked.orderBy("created_at", "desc").orderBy("id")), (rows) =>
          rows.map(sessionRow.ofRow)
        )
      },
      countryOf: (projectId, identityId) =>
        Effect.map(
          db.all(
            sessions()
              .where(({ and }) => and({ project_id: projectId, identity_id: identityId }))
              .orderBy("created_at", "desc")
              .limit(1)
          ),
          ([row]) => (row === undefined ? null : sessionRow.ofRow(row).country)
        ),
      overdue: (at, limit) =>
        Effect.map(
          db.all(
            sessions()
              .where("status", "=", "PENDING")
              .where("expires_at", "<=", millisOf(at))
              .orderBy("expires_at")
              .limit(limit)
          ),
          (rows) => rows.map(sessionRow.ofRow)
        )
    })
  })
)
