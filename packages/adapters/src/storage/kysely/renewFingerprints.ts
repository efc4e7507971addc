import { identityKeysOf, PersonalVault, personalDataOf, personIdentityKeys } from "@countersign/core/identity"
import { Effect } from "effect"
import { sql } from "kysely"
import { Db } from "./Db.ts"
import { COMPARED_FORM } from "./migrations/0030/documentNumbers.ts"
import type { Tables } from "./migrations/index.ts"
import * as SealedVault from "./SealedVault.ts"

interface Registration {
  readonly projectId: string
  readonly fingerprint: string
  readonly identityId: string
  /** If several identities have registered one document, the highest rank wins, and then the oldest session. */
  readonly rank: number
}

type SessionKey = Pick<Tables["verification_sessions"], "project_id" | "id">

/**
 * Replaces fingerprints that an earlier version made in another format. If several identities have registered one
 * document in different formats, a verified identity keeps it, otherwise one with a COMPLETED session, otherwise the
 * oldest. The earlier fingerprints are deleted last, so that an interrupted run starts over. Several processes may run
 * this concurrently.
 */
export const renewFingerprints = Effect.gen(function* () {
  const db = yield* Db
  const vault = yield* PersonalVault

  const outdatedRows = yield* db.all(
    db.query
      .selectFrom("verification_identities")
      .select("identity_id")
      .where("number_form", "<", COMPARED_FORM)
      .limit(1)
  )
  if (outdatedRows.length === 0) return

  const individuals = yield* db.all(db.query.selectFrom("verified_individuals").select(["project_id", "id"]))
  const verifiedIndividuals = new Set(individuals.map(({ id, project_id }) => JSON.stringify([project_id, id])))

  const registrationsOf = Effect.fnUntraced(function* ({ id, project_id: projectId }: SessionKey) {
    const [session] = yield* db.all(
      db.query
        .selectFrom("verification_sessions")
        .select(["identity_id", "owner_ids", "status", "sealed"])
        .where(({ and }) => and({ project_id: projectId, id }))
    )
    const { identity_id, owner_ids, sealed, status } = session!
    const text = yield* vault.open(identity_id, sealed)
    if (text === null) return []
    const personalData = personalDataOf(text)
    const ownerIds = JSON.parse(owner_ids) as ReadonlyArray<string>
    const owners = personalData._tag === "business" ? personalData.owners : []
    const documents = [
      ...identityKeysOf(personalData).map((document) => ({ identityId: identity_id, document })),
      ...owners.flatMap((owner, index) =>
        personIdentityKeys(owner).map((document) => ({ identityId: ownerIds[index]!, document }))
      )
    ]
    return yield* Effect.forEach(documents, ({ document, identityId }) =>
      Effect.map(vault.fingerprint(document), (fingerprint): Registration => {
        const isVerified = verifiedIndividuals.has(JSON.stringify([projectId, identityId]))
        return { projectId, fingerprint, identityId, rank: (isVerified ? 2 : 0) + (status === "COMPLETED" ? 1 : 0) }
      })
    )
  })

  const register = Effect.fnUntraced(function* ({ fingerprint, identityId, projectId }: Registration) {
    const [insertedRow] = yield* db.all(
      db.query
        .insertInto("verification_identities")
        .values({ project_id: projectId, fingerprint, identity_id: identityId, number_form: COMPARED_FORM })
        .onConflict((conflict) =>
          conflict.columns(["project_id", "fingerprint"]).doUpdateSet({
            identity_id: sql`case when verification_identities.number_form < ${COMPARED_FORM}
              then excluded.identity_id else verification_identities.identity_id end`,
            number_form: COMPARED_FORM
          })
        )
        .returning("identity_id")
    )
    if (insertedRow!.identity_id === identityId) return
    yield* Effect.logWarning("Two identities have the same document. Revoke one of them.", {
      projectId,
      identityIds: [insertedRow!.identity_id, identityId]
    })
  })

  const sessions = yield* db.all(
    db.query.selectFrom("verification_sessions").select(["project_id", "id"]).orderBy("created_at").orderBy("id")
  )
  const registrations = (yield* Effect.forEach(sessions, registrationsOf)).flat()
  yield* Effect.forEach(
    registrations.toSorted((one, other) => other.rank - one.rank),
    register,
    { discard: true }
  )
  yield* db.run(db.query.deleteFrom("verification_identities").where("number_form", "<", COMPARED_FORM))
}).pipe(Effect.provide(SealedVault.layer))
