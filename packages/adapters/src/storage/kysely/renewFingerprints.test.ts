import { aSession } from "@countersign/core/contracts/identity/sessions/VerificationSessionStore"
import { aProjectId } from "@countersign/core/contracts/tenancy/projects/ProjectStore"
import {
  IndividualId,
  PersonalVault,
  personIdentityKeys,
  type SessionStatus,
  VerificationSessionStore,
  VerifiedIndividuals
} from "@countersign/core/identity"
import type { ProjectId } from "@countersign/core/tenancy/projects"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { aBusiness, anOwner } from "../../../../core/src/identity/verification/verification.fixture.ts"
import { layerTemporaryPostgres, layerTemporarySqlite } from "../../../test/support/databases.ts"
import { Db } from "./Db.ts"
import { renewFingerprints, SealedVault } from "./index.ts"

for (const [name, database] of [
  ["SQLite", layerTemporarySqlite],
  ["Postgres", layerTemporaryPostgres]
] as const) {
  layer(Layer.provideMerge(SealedVault.layer, database), { excludeTestServices: true })(
    `fingerprints of an earlier version on ${name}`,
    (it) => {
      const instant = (day: number) => DateTime.makeUnsafe(day * 86_400_000)
      const { metadata: _, ...business } = aBusiness()

      const register = Effect.fnUntraced(function* (
        projectId: ProjectId,
        document: string,
        personal: object,
        fields: Partial<Parameters<typeof aSession>[0]> & {
          readonly identityId: string
          readonly createdAt: DateTime.Utc
        }
      ) {
        const db = yield* Db
        const vault = yield* PersonalVault
        const { identityId } = fields
        const fingerprint = yield* vault.fingerprint(document)
        yield* db.run(
          db.query
            .insertInto("verification_identities")
            .values({ project_id: projectId, fingerprint, identity_id: identityId, number_form: 1 })
            .onConflict((conflict) => conflict.doNothing())
        )
        const sealedData = yield* vault.seal(identityId, JSON.stringify(personal))
        yield* VerificationSessionStore.use((store) =>
          store.insert({ session: aSession({ projectId, ...fields }), sealed: sealedData })
        )
      })

      const identityOf = Effect.fnUntraced(function* (projectId: ProjectId, document: string) {
        const vault = yield* PersonalVault
        const store = yield* VerificationSessionStore
        return yield* store.findOrAddIdentity(projectId, yield* vault.fingerprint(document), "none")
      })

      const individual = (documentId: string) => ({ _tag: "individual", ...anOwner({ documentId }) })

      it.effect("are renewed from normalized numbers, and the older of two identities keeps a document", () =>
        Effect.gen(function* () {
          const projectId = aProjectId()
          const youngerIdentity = { identityId: "ind_younger", createdAt: instant(9), ownerIds: [] }
          const older = { identityId: "ind_older", createdAt: instant(2), ownerIds: [] }
          const businessWithOwners = { identityId: "biz_1", createdAt: instant(3), ownerIds: ["own_a", "own_b"] }
          yield* register(projectId, "individual BRAZIL PASSPORT FX-123456", individual("FX-123456"), youngerIdentity)
          yield* register(projectId, "individual BRAZIL PASSPORT FX123456", individual("fx123456"), older)
          const owners = [anOwner({ documentId: "B-2" }), anOwner({ documentId: "FX.123456" })]
          yield* register(
            projectId,
            "business BRAZIL 33000167000101",
            { _tag: "business", ...business, owners },
            businessWithOwners
          )
          for (let times = 0; times < 2; times += 1) yield* renewFingerprints
          assert.strictEqual(
            yield* identityOf(projectId, personIdentityKeys(anOwner({ documentId: "FX 123456" }))[0]!),
            "ind_older"
          )
          assert.strictEqual(
            yield* identityOf(projectId, personIdentityKeys(anOwner({ documentId: "b2" }))[0]!),
            "own_a"
          )
          assert.strictEqual(yield* identityOf(projectId, "business BRAZIL 33000167000101"), "biz_1")
          const db = yield* Db
          const remainingIdentities = yield* db.all(
            db.query
              .selectFrom("verification_identities")
              .select("identity_id")
              .where("project_id", "=", projectId)
              .where("number_form", "=", 1)
          )
          assert.deepStrictEqual(remainingIdentities, [])
        })
      )

      it.effect("of the oldest identity replace the earlier fingerprint of another identity", () =>
        Effect.gen(function* () {
          const projectId = aProjectId()
          const company = (documentId: string, owner: string) => ({
            _tag: "business",
            ...business,
            country: "FRANCE",
            documentId,
            owners: [anOwner({ documentId: owner })]
          })
          const older = { identityId: "biz_older", createdAt: instant(1), ownerIds: ["own_1"] }
          const youngerBusiness = { identityId: "biz_younger", createdAt: instant(5), ownerIds: ["own_2"] }
          yield* register(projectId, "business FRANCE 0191", company("0191", "Q1"), older)
          yield* register(projectId, "business FRANCE 191", company("191", "Q2"), youngerBusiness)
          yield* renewFingerprints
          assert.strictEqual(yield* identityOf(projectId, "business FRANCE 191"), "biz_older")
          assert.strictEqual(
            yield* identityOf(projectId, personIdentityKeys(anOwner({ documentId: "Q2" }))[0]!),
            "own_2"
          )
        })
      )

      it.effect(
        "belong to a verified identity, otherwise to one with a COMPLETED session, otherwise to the oldest",
        () =>
          Effect.gen(function* () {
            const projectId = aProjectId()
            const owners = ["V1", "C1"].map((documentId) => anOwner({ documentId }))
            const data = { _tag: "business", ...business, owners }
            const earlierFingerprint = "business BRAZIL 33000167000101"
            const session = (day: number, status: SessionStatus, ownerIds: ReadonlyArray<string>) =>
              register(projectId, earlierFingerprint, data, {
                identityId: "biz_1",
                createdAt: instant(day),
                status,
                ownerIds
              })
            yield* session(1, "FAILED", ["own_oldest", "own_failed"])
            yield* session(2, "COMPLETED", ["own_completed", "own_completed_too"])
            yield* session(3, "FAILED", ["own_verified", "own_failed_too"])
            const verifiedIndividual = { id: IndividualId.make("own_verified"), verifiedAt: instant(3) }
            yield* VerifiedIndividuals.use((individuals) => individuals.verify(projectId, verifiedIndividual))
            yield* renewFingerprints
            const identities = yield* Effect.forEach(owners, (owner) =>
              identityOf(projectId, personIdentityKeys(owner)[1]!)
            )
            assert.deepStrictEqual(identities, ["own_verified", "own_completed_too"])
          })
      )

      it.effect("are renewed from numbers that requests may no longer contain", () =>
        Effect.gen(function* () {
          const projectId = aProjectId()
          const fields = { identityId: "ind_dashes", createdAt: instant(1), ownerIds: [] }
          yield* register(projectId, "individual BRAZIL PASSPORT ---", individual("---"), fields)
          yield* renewFingerprints
          const dashes = personIdentityKeys(anOwner({ documentId: "---" }))[0]!
          assert.strictEqual(yield* identityOf(projectId, dashes), "ind_dashes")
        })
      )
    }
  )
}
