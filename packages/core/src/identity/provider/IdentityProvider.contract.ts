import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { at, aUuid } from "../../foundation/primitives/ids.fixture.ts"
import { aProjectId } from "../../tenancy/projects/Project.fixture.ts"
import { newSession } from "../sessions/newSession.ts"
import type { SessionKind, VerificationSession } from "../sessions/VerificationSession.ts"
import type { PersonalData } from "../verification/BusinessVerification.ts"
import { aBusiness, anOwner } from "../verification/verification.fixture.ts"
import type { IdentityCallback, IdentityProvider } from "./IdentityProvider.ts"

/** A provider, with functions that act as its reviewers. The documents of every session are readable. */
export interface IdentityProviderFixture {
  readonly provider: IdentityProvider
  /**
   * Sets the reviewers' decision on the session's person or business, or on an owner. `refusal` is the reason for a
   * rejection, or null for an approval.
   */
  readonly decide: (session: VerificationSession, ownerId: string | null, refusal: string | null) => void
  /** Returns the number of documents that the provider received for the session, including duplicates. */
  readonly countDocuments: (session: VerificationSession) => number
  /**
   * Loses the responses to all requests after the first `after` requests. The requests still take effect. Null stops
   * this.
   */
  readonly loseResponse: (answeredCount: number | null) => void
  readonly callbackOf: (session: VerificationSession) => IdentityCallback
}

const OWNERS = ["own_1", "own_2"]

export const aVerifyingSession = (kind: SessionKind): VerificationSession => ({
  ...newSession({
    id: `${kind === "business" ? "kyb" : "kyc"}_${aUuid().replaceAll("-", "")}`,
    projectId: aProjectId(),
    kind,
    identityId: `${kind === "business" ? "biz" : "ind"}_1`,
    country: "BRAZIL",
    ownerIds: kind === "business" ? OWNERS : [],
    metadata: {},
    now: at(0)
  }),
  status: "VERIFYING"
})

const card = { documentCategory: "IDENTITY_CARD" } as const
const { metadata: _, ...business } = aBusiness({
  owners: [anOwner(card), anOwner({ documentId: "FX2", firstName: "Bruno", documentCategory: "DRIVERS_LICENSE" })]
})

export const personalDataFor = (kind: SessionKind): PersonalData =>
  kind === "business" ? { _tag: "business", ...business } : { _tag: "individual", ...anOwner(card) }

const checkRequestOf = (session: VerificationSession) => ({
  session,
  personalData: Effect.succeed(personalDataFor(session.kind))
})

/** Contract tests that every `IdentityProvider` must pass. */
export const identityProviderContract = (name: string, makeFixture: () => IdentityProviderFixture): void => {
  describe(`IdentityProvider: ${name}`, () => {
    it.live.each(["individual", "business"] as const)("receives the documents of one %s once", (kind) =>
      Effect.gen(function* () {
        const { countDocuments: documentsOf, provider } = makeFixture()
        const session = aVerifyingSession(kind)
        for (let times = 0; times < 3; times += 1) {
          assert.deepStrictEqual(yield* provider.check(checkRequestOf(session)), { _tag: "Waiting" })
        }
        assert.strictEqual(documentsOf(session), session.documents.length)
      })
    )

    it.live("does not receive the same personal data twice", () =>
      Effect.gen(function* () {
        const { provider } = makeFixture()
        const session = aVerifyingSession("business")
        yield* provider.check(checkRequestOf(session))
        const failIfRead = Effect.die(new Error("It was requested again"))
        assert.deepStrictEqual(yield* provider.check({ session, personalData: failIfRead }), { _tag: "Waiting" })
      })
    )

    it.live("approves a person when its reviewers do", () =>
      Effect.gen(function* () {
        const { decide, provider } = makeFixture()
        const session = aVerifyingSession("individual")
        yield* provider.check(checkRequestOf(session))
        decide(session, null, null)
        assert.deepStrictEqual(yield* provider.check(checkRequestOf(session)), { _tag: "Approved" })
      })
    )

    it.live("approves a business with the last of its owners", () =>
      Effect.gen(function* () {
        const { decide, provider } = makeFixture()
        const session = aVerifyingSession("business")
        yield* provider.check(checkRequestOf(session))
        for (const ownerId of [OWNERS[1]!, null]) {
          decide(session, ownerId, null)
          assert.deepStrictEqual(yield* provider.check(checkRequestOf(session)), { _tag: "Waiting" })
        }
        decide(session, OWNERS[0]!, null)
        assert.deepStrictEqual(yield* provider.check(checkRequestOf(session)), { _tag: "Approved" })
      })
    )

    it.live("rejects a business because of one of its owners, with the reason", () =>
      Effect.gen(function* () {
        const { decide, provider } = makeFixture()
        const session = aVerifyingSession("business")
        yield* provider.check(checkRequestOf(session))
        decide(session, null, null)
        decide(session, OWNERS[1]!, "The picture is dark")
        assert.deepStrictEqual(yield* provider.check(checkRequestOf(session)), {
          _tag: "Rejected",
          reason: "The picture is dark"
        })
      })
    )

    it.live("continues after a lost response, at every request", () =>
      Effect.gen(function* () {
        const { countDocuments: documentsOf, loseResponse, provider } = makeFixture()
        let lostCount = 0
        for (let answeredCount = 0; ; answeredCount += 1) {
          const session = aVerifyingSession("individual")
          loseResponse(answeredCount)
          const firstCheck = yield* Effect.exit(provider.check(checkRequestOf(session)))
          loseResponse(null)
          if (Exit.isFailure(firstCheck)) {
            lostCount += 1
            assert.deepStrictEqual(yield* provider.check(checkRequestOf(session)), { _tag: "Waiting" })
          }
          assert.strictEqual(documentsOf(session), session.documents.length)
          if (Exit.isSuccess(firstCheck)) break
        }
        assert.isAbove(lostCount, 4)
      })
    )

    it.live("receives no data of an erased person", () =>
      Effect.gen(function* () {
        const { countDocuments: documentsOf, provider } = makeFixture()
        const session = aVerifyingSession("business")
        assert.deepStrictEqual(yield* provider.check({ session, personalData: Effect.succeed(null) }), {
          _tag: "Waiting"
        })
        assert.strictEqual(documentsOf(session), 0)
      })
    )

    it("accepts authentic webhooks, and rejects others", () => {
      const { callbackOf, provider } = makeFixture()
      const session = aVerifyingSession("business")
      const callback = callbackOf(session)
      const { id: sessionId, projectId } = session
      assert.deepStrictEqual(provider.readCallback(callback), {
        _tag: "Genuine",
        session: { projectId, sessionId }
      })
      const otherCallbacks: ReadonlyArray<IdentityCallback> = [
        { ...callback, body: `${callback.body} ` },
        { ...callback, body: "" },
        { ...callback, headers: {} },
        ...Object.keys(callback.headers).map((header) => ({
          ...callback,
          headers: { ...callback.headers, [header]: "00" }
        }))
      ]
      for (const otherCallback of otherCallbacks)
        assert.strictEqual(provider.readCallback(otherCallback)._tag, "Refused")
    })
  })
}
