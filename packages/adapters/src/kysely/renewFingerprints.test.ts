import { aSession } from "@countersign/core/contracts/identity/sessions/VerificationSessionStore"
import { aProjectId } from "@countersign/core/contracts/projects/ProjectStore"
import { documentOfPerson, PersonalVault, VerificationSessionStore } from "@countersign/core/identity"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { aBusiness, anOwner } from "../../../core/src/identity/verification/verification.fixture.ts"
import { layerTemporaryPostgres, layerTemporarySqlite } from "../../test/support/databases.ts"
import { Db } from "./Db.ts"
import { renewFingerprints, SealedVault } from "./index.ts"

for (const [name, database] of [
  ["SQLite", layerTemporarySqlite],
  ["Postgres", layerTemporaryPostgres]
] as const) {
  layer(Layer.provideMerge(SealedVault.layer, database), { excludeTestServices: true })(
    `fingerprints of an earlier version on ${name}`,
    (it) => {
      const projectId = aProjectId()
      const instant = (day: number) => DateTime.makeUnsafe(day * 86_400_000)
      const { metadata: _, ...business } = aBusiness()

      const register = Effect.fnUntraced(function* (
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
        )
        const sealed = yield* vault.seal(identityId, JSON.stringify(personal))
        yield* VerificationSessionStore.use((store) =>
          store.insert({ session: aSession({ projectId, ...fields }), sealed })
        )
      })

      const individual = (documentId: string) => ({ _tag: "individual", ...anOwner({ documentId }) })

      it.effect("are made again of compared numbers: the older identity keeps a document of two", () =>
        Effect.gen(function* () {
          const younger = { identityId: "ind_younger", createdAt: instant(9), ownerIds: [] }
          const older = { identityId: "ind_older", createdAt: instant(2), ownerIds: [] }
          const owned = { identityId: "biz_1", createdAt: instant(3), ownerIds: ["own_a", "own_b"] }
          yield* register("individual BRAZIL PASSPORT FX-123456", individual("FX-123456"), younger)
          yield* register("individual BRAZIL PASSPORT FX123456", individual("fx123456"), older)
          const owners = [anOwner({ documentId: "B-2" }), anOwner({ documentId: "FX.123456" })]
          yield* register("business BRAZIL 33000167000101", { _tag: "business", ...business, owners }, owned)
          for (let times = 0; times < 2; times += 1) yield* renewFingerprints
          const vault = yield* PersonalVault
          const store = yield* VerificationSessionStore
          const identityOf = (document: string) =>
            Effect.flatMap(vault.fingerprint(document), (fingerprint) =>
              store.identityOf(projectId, fingerprint, "none")
            )
          assert.strictEqual(yield* identityOf(documentOfPerson(anOwner({ documentId: "FX 123456" }))), "ind_older")
          assert.strictEqual(yield* identityOf(documentOfPerson(anOwner({ documentId: "b2" }))), "own_a")
          assert.strictEqual(yield* identityOf("business BRAZIL 33000167000101"), "biz_1")
          const db = yield* Db
          const left = yield* db.all(
            db.query
              .selectFrom("verification_identities")
              .select("identity_id")
              .where("project_id", "=", projectId)
              .where("number_form", "=", 1)
          )
          assert.deepStrictEqual(left, [])
        })
      )
    }
  )
}
