import {
  type PartApprovals,
  type StoredSession,
  VerificationSession,
  VerificationSessionStore
} from "@countersign/core/identity"
import { ProjectId } from "@countersign/core/tenancy/projects"
import { Effect, Layer } from "effect"
import { sql } from "kysely"
import { claimDue, nextCheckAt } from "./claims.ts"
import { Instant, instantOf, Json, millisOf, rowCodec } from "./codec.ts"
import { Db } from "./Db.ts"
import { COMPARED_FORM } from "./migrations/0030/documentNumbers.ts"

const sessionRow = rowCodec(VerificationSession, {
  ownerIds: Json(VerificationSession.fields.ownerIds),
  documents: Json(VerificationSession.fields.documents),
  metadata: Json(VerificationSession.fields.metadata),
  createdAt: Instant,
  updatedAt: Instant,
  expiresAt: Instant
})

type SessionRow = Parameters<typeof sessionRow.fromRow>[0]

/** Replaces the data of a session after its identity was erased. */
const ERASED_TEXT = ""

export const layer = Layer.effect(
  VerificationSessionStore,
  Effect.gen(function* () {
    const db = yield* Db
    const toStoredSession = ({ sealed, ...columns }: SessionRow & { readonly sealed: string }): StoredSession => ({
      session: sessionRow.fromRow(columns),
      sealed
    })
    const approvals = (projectId: string, id: string): Effect.Effect<PartApprovals> =>
      Effect.map(
        db.all(
          db.query
            .selectFrom("verification_part_reviews")
            .select(["part", "reviewer", "second_reviewer"])
            .where(({ and }) => and({ project_id: projectId, session_id: id }))
        ),
        (rows) =>
          new Map(
            rows.map(({ part, reviewer, second_reviewer }) => [
              part,
              second_reviewer === null ? [reviewer] : [reviewer, second_reviewer]
            ])
          )
      )
    /** Selects the owners of businesses whose sessions are not rejected, expired or erased. */
    const ownersInUse = sql`select owned.project_id, owner.value from verification_sessions owned, ${
      db.dialect === "sqlite" ? sql`json_each(owned.owner_ids)` : sql`json_array_elements_text(owned.owner_ids::json)`
    } owner where owned.status not in ('FAILED', 'EXPIRED') and owned.sealed <> ${ERASED_TEXT}`
    const sessions = () => db.query.selectFrom("verification_sessions").select(sessionRow.columns)
    return VerificationSessionStore.of({
      findOrAddIdentity: (projectId, fingerprint, newIdentityId) =>
        Effect.map(
          db.all(
            db.query
              .insertInto("verification_identities")
              .values({ project_id: projectId, fingerprint, identity_id: newIdentityId, number_form: COMPARED_FORM })
              // Changes nothing, but locks the existing row and returns it.
              .onConflict((conflict) =>
                conflict
                  .columns(["project_id", "fingerprint"])
                  .doUpdateSet(({ ref }) => ({ identity_id: ref("verification_identities.identity_id") }))
              )
              .returning("identity_id")
          ),
          ([row]) => row!.identity_id
        ),
      assign: (projectId, fingerprint, identityId) =>
        Effect.asVoid(
          db.run(
            db.query
              .updateTable("verification_identities")
              .set({ identity_id: identityId })
              .where(({ and }) => and({ project_id: projectId, fingerprint }))
          )
        ),
      lockIdentity: (projectId, identityId) =>
        // SQLite runs units of work one after another. On Postgres, session starts lock the rows in the same order,
        // which prevents deadlocks.
        db.dialect === "postgres"
          ? Effect.asVoid(
              db.all(
                db.query
                  .selectFrom("verification_identities")
                  .select("fingerprint")
                  .where(({ and }) => and({ project_id: projectId, identity_id: identityId }))
                  .orderBy("fingerprint")
                  .forUpdate()
              )
            )
          : Effect.void,
      insert: ({ sealed, session }) =>
        Effect.asVoid(
          db.run(
            db.query
              .insertInto("verification_sessions")
              .values({ ...sessionRow.rowOf(session), sealed, check_at: 0, claimed_until: null })
          )
        ),
      find: (projectId, id) =>
        Effect.map(
          db.all(
            sessions()
              .select("sealed")
              .where(({ and }) => and({ project_id: projectId, id }))
          ),
          ([row]) => (row === undefined ? null : toStoredSession(row))
        ),
      recordTransition: ({ id, projectId, reason, status, updatedAt }, from) =>
        Effect.map(
          db.run(
            db.query
              .updateTable("verification_sessions")
              .set({ status, reason, updated_at: millisOf(updatedAt), claimed_until: null })
              .where(({ and }) => and({ project_id: projectId, id, status: from }))
          ),
          (changedCount) => changedCount === 1
        ).pipe(
          Effect.tap(() =>
            status === "VERIFYING" ? db.announce("VERIFICATION_SESSIONS", millisOf(updatedAt)) : Effect.void
          )
        ),
      approvePart: Effect.fnUntraced(function* (projectId, id, part, reviewer, at) {
        // Locks the row until the unit of work ends.
        yield* db.run(
          db.query
            .updateTable("verification_sessions")
            .set({ check_at: sql`check_at` })
            .where(({ and }) => and({ project_id: projectId, id }))
        )
        yield* db.run(
          db.query
            .insertInto("verification_part_reviews")
            .values({
              project_id: projectId,
              session_id: id,
              part,
              approved_at: millisOf(at),
              reviewer,
              second_reviewer: null
            })
            .onConflict((conflict) =>
              conflict
                .columns(["project_id", "session_id", "part"])
                .doUpdateSet({ second_reviewer: reviewer })
                .where("verification_part_reviews.reviewer", "!=", reviewer)
                .where("verification_part_reviews.second_reviewer", "is", null)
            )
        )
        return yield* approvals(projectId, id)
      }),
      listApprovals: approvals,
      claimDue: (now, until, limit) =>
        Effect.map(
          db.all(
            claimDue<SessionRow & { readonly sealed: string; readonly check_at: number }>(db, "verification_sessions", {
              limit,
              now: millisOf(now),
              until: millisOf(until),
              returning: [...sessionRow.columns, "sealed", "check_at"]
            })
          ),
          (rows) =>
            rows
              .toSorted((a, b) => a.check_at - b.check_at)
              .map(({ check_at, ...row }) => ({ ...toStoredSession(row), dueAt: instantOf(check_at) }))
        ),
      wake: (projectId, id, now) =>
        Effect.andThen(
          db.run(
            db.query
              .updateTable("verification_sessions")
              .set({ check_at: millisOf(now) })
              .where(({ and }) => and({ project_id: projectId, id }))
          ),
          db.announce("VERIFICATION_SESSIONS", millisOf(now))
        ),
      endCheck: (projectId, id, dueAt, checkAt) =>
        Effect.andThen(
          db.run(
            db.query
              .updateTable("verification_sessions")
              .set({ check_at: nextCheckAt(millisOf(dueAt), millisOf(checkAt)), claimed_until: null })
              .where(({ and }) => and({ project_id: projectId, id }))
          ),
          // The session is due immediately if it was woken during the check.
          db.announce("VERIFICATION_SESSIONS", 0)
        ),
      list: (projectId, status, limit) => {
        const projectSessions = sessions().where("project_id", "=", projectId)
        const statusSessions = status === null ? projectSessions : projectSessions.where("status", "=", status)
        const limitedQuery = limit === null ? statusSessions : statusSessions.limit(limit)
        return Effect.map(db.all(limitedQuery.orderBy("created_at", "desc").orderBy("id")), (rows) =>
          rows.map(sessionRow.fromRow)
        )
      },
      findCountry: (projectId, identityId) =>
        Effect.map(
          db.all(
            sessions()
              .where(({ and }) => and({ project_id: projectId, identity_id: identityId }))
              .orderBy("created_at", "desc")
              .limit(1)
          ),
          ([row]) => (row === undefined ? null : sessionRow.fromRow(row).country)
        ),
      listByIdentity: (projectId, identityId) =>
        Effect.map(
          db.all(
            sessions()
              .select("sealed")
              .where(({ and }) => and({ project_id: projectId, identity_id: identityId }))
              .orderBy("created_at", "desc")
              .orderBy("id")
          ),
          (rows) => rows.map(toStoredSession)
        ),
      erase: (projectId, identityId) =>
        db.transaction(
          Effect.gen(function* () {
            const identityKey = { project_id: projectId, identity_id: identityId }
            yield* db.run(
              db.query
                .updateTable("verification_sessions")
                .set({ sealed: ERASED_TEXT, reason: null, metadata: "{}" })
                .where(({ and }) => and(identityKey))
            )
            yield* db.run(db.query.deleteFrom("verification_identities").where(({ and }) => and(identityKey)))
          })
        ),
      listRejected: (before, limit) =>
        Effect.map(
          db.all(
            db.query
              .selectFrom("verification_sessions as ended")
              .select(["project_id", "identity_id"])
              .distinct()
              .where("status", "in", ["FAILED", "EXPIRED"])
              .where("updated_at", "<", millisOf(before))
              .where("sealed", "!=", ERASED_TEXT)
              .where(({ exists, not, selectFrom }) =>
                not(
                  exists(
                    selectFrom("verification_sessions as other")
                      .select("other.id")
                      .whereRef("other.project_id", "=", "ended.project_id")
                      .whereRef("other.identity_id", "=", "ended.identity_id")
                      .where(({ eb, or }) =>
                        or([
                          eb("other.status", "not in", ["FAILED", "EXPIRED"]),
                          eb("other.updated_at", ">=", millisOf(before))
                        ])
                      )
                  )
                )
              )
              .where(({ exists, not, selectFrom }) =>
                not(
                  exists(
                    selectFrom("verified_individuals as verified")
                      .select("verified.id")
                      .whereRef("verified.project_id", "=", "ended.project_id")
                      .whereRef("verified.id", "=", "ended.identity_id")
                  )
                )
              )
              .where(sql<boolean>`(ended.project_id, ended.identity_id) not in (${ownersInUse})`)
              .limit(limit)
          ),
          (rows) => rows.map((row) => ({ projectId: ProjectId.make(row.project_id), identityId: row.identity_id }))
        ),
      countPending: (projectId) =>
        Effect.map(
          Effect.forEach(["VERIFYING", "IN_REVIEW"] as const, (status) => {
            const waitingQuery = db.query
              .selectFrom("verification_sessions")
              .select(({ fn }) => [fn.countAll<number>().as("count"), fn.min("updated_at").as("oldest")])
              .where("status", "=", status)
            return Effect.map(
              db.all(projectId === null ? waitingQuery : waitingQuery.where("project_id", "=", projectId)),
              ([row]) =>
                Number(row!.count) === 0
                  ? []
                  : [{ status, count: Number(row!.count), oldestAt: instantOf(Number(row!.oldest)) }]
            )
          }),
          (waits) => waits.flat()
        ),
      listOverdue: (at, limit) =>
        Effect.map(
          db.all(
            sessions()
              .where("status", "=", "PENDING")
              .where("expires_at", "<=", millisOf(at))
              .orderBy("expires_at")
              .limit(limit)
          ),
          (rows) => rows.map(sessionRow.fromRow)
        )
    })
  })
)
