import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Entropy, UnitOfWork } from "../foundation/primitives/index.ts"
import { EventOutbox } from "../tenancy/events/index.ts"
import { aProjectId } from "../tenancy/projects/Project.fixture.ts"
import { Documents } from "./documents/Documents.ts"
import { PersonalAccesses } from "./personal/PersonalAccesses.ts"
import { PersonalVault } from "./personal/PersonalVault.ts"
import { VerificationSessionStore } from "./sessions/VerificationSessionStore.ts"
import { VerificationChecks } from "./VerificationChecks.ts"
import { Verifications } from "./Verifications.ts"
import { VerifiedIndividuals } from "./VerifiedIndividuals.ts"
import { aBusiness, anOwner } from "./verification/verification.fixture.ts"

/**
 * Starts the session of a business whose owners have these documents. Returns the owner ids, and the fingerprints in
 * the order in which they were locked.
 */
const startBusinessWith = Effect.fnUntraced(function* (documentIds: ReadonlyArray<string>) {
  const lockedFingerprints: Array<string> = []
  const ports = Layer.mergeAll(
    Layer.mock(VerificationSessionStore, {
      findOrAddIdentity: (_project, fingerprint) => {
        lockedFingerprints.push(fingerprint)
        return Effect.succeed(`identity of ${fingerprint}`)
      },
      listByIdentity: () => Effect.succeed([]),
      insert: () => Effect.void
    }),
    Layer.mock(PersonalVault, { problem: null, fingerprint: Effect.succeed, seal: () => Effect.succeed("sealed") }),
    Layer.mock(Documents, {
      problem: null,
      descriptorOf: () => Effect.succeed({} as never)
    }),
    Layer.mock(VerifiedIndividuals, { isVerified: () => Effect.succeed(false) }),
    Layer.mock(EventOutbox, { append: (event) => Effect.succeed({ ...event, id: "evt_1" as never, sequence: 1 }) }),
    Layer.mock(PersonalAccesses, {}),
    Layer.mock(VerificationChecks, { provider: null }),
    Layer.mock(Entropy, { uuid: Effect.succeed("00000000-0000-4000-8000-000000000000") }),
    Layer.succeed(UnitOfWork, UnitOfWork.of({ run: (effect) => effect }))
  )
  const owners = documentIds.map((documentId) => anOwner({ documentId }))
  const { session } = yield* Verifications.use((verifications) =>
    verifications.startBusiness(aProjectId(), aBusiness({ owners }))
  ).pipe(Effect.provide(Layer.provide(Verifications.layer, ports)))
  return { locked: lockedFingerprints, ownerIds: session.ownerIds }
})

describe("Verifications", () => {
  it.live(
    "locks the documents of the same owners in the same order, and keeps the owners in the order of the request",
    () =>
      Effect.gen(function* () {
        const firstSession = yield* startBusinessWith(["A1", "C3", "B2"])
        const otherSession = yield* startBusinessWith(["C3", "B2", "A1"])
        assert.deepStrictEqual(firstSession.locked, otherSession.locked)
        const idOf = (documentId: string) => `identity of individual BRAZIL PASSPORT ${documentId}`
        assert.deepStrictEqual(firstSession.ownerIds, ["A1", "C3", "B2"].map(idOf))
        assert.deepStrictEqual(otherSession.ownerIds, ["C3", "B2", "A1"].map(idOf))
      })
  )
})
