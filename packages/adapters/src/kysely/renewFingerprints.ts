import { documentOf, documentOfPerson, PersonalVault, personalDataOf } from "@countersign/core/identity"
import { Effect } from "effect"
import { sql } from "kysely"
import { Db } from "./Db.ts"
import { COMPARED_FORM } from "./migrations/0030/documentNumbers.ts"
import type { Tables } from "./migrations/index.ts"
import * as SealedVault from "./SealedVault.ts"

type Row = Pick<Tables["verification_identities"], "project_id" | "fingerprint" | "identity_id">
type Session = Pick<Tables["verification_sessions"], "owner_ids" | "sealed">

/**
 * Makes the fingerprints of documents again that an earlier version made of numbers as they were sent. The identity whose session
 * is older keeps a document that two have registered with different spellings. Another process may do the same meanwhile.
 */
export const renewFingerprints = Effect.gen(function* () {
  const db = yield* Db
  const vault = yield* PersonalVault

  /** False where another identity has the document. */
  const register = Effect.fnUntraced(function* (projectId: string, document: string, identityId: string) {
    const place = { project_id: projectId, fingerprint: yield* vault.fingerprint(document) }
    const [known] = yield* db.all(
      db.query
        .insertInto("verification_identities")
        .values({ ...place, identity_id: identityId, number_form: COMPARED_FORM })
        .onConflict((conflict) =>
          conflict
            .columns(["project_id", "fingerprint"])
            .doUpdateSet(({ ref }) => ({ identity_id: ref("verification_identities.identity_id") }))
        )
        .returning("identity_id")
    )
    if (known!.identity_id === identityId) return
    yield* Effect.logWarning("Two identities have the same document. Revoke one of them.", {
      projectId,
      identityIds: [known!.identity_id, identityId]
    })
  })

  const renew = Effect.fnUntraced(function* ({ fingerprint, identity_id: identityId, project_id: projectId }: Row) {
    const sessions: ReadonlyArray<Session> = yield* db.all(
      db.query
        .selectFrom("verification_sessions")
        .select(["owner_ids", "sealed"])
        .where(({ and }) => and({ project_id: projectId, identity_id: identityId }))
        .orderBy("created_at")
    )
    yield* db.run(
      db.query.deleteFrom("verification_identities").where(({ and }) => and({ project_id: projectId, fingerprint }))
    )
    for (const { owner_ids, sealed } of sessions) {
      const text = yield* vault.open(identityId, sealed)
      if (text === null) continue
      const personal = personalDataOf(text)
      yield* register(projectId, documentOf(personal), identityId)
      const ownerIds = JSON.parse(owner_ids) as ReadonlyArray<string>
      const owners = personal._tag === "business" ? personal.owners : []
      yield* Effect.forEach(owners, (owner, place) => register(projectId, documentOfPerson(owner), ownerIds[place]!))
    }
  })

  const rows = yield* db.all<Row>(
    sql`select project_id, fingerprint, identity_id from verification_identities known where number_form < ${COMPARED_FORM}
      order by (select min(created_at) from verification_sessions session
        where session.project_id = known.project_id and session.identity_id = known.identity_id)`
  )
  yield* Effect.forEach(rows, (row) => db.transaction(renew(row)), { discard: true })
}).pipe(Effect.provide(SealedVault.layer))
