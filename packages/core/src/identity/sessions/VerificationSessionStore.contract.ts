import { assert, layer as withLayer } from "@effect/vitest"
import { DateTime, Deferred, Effect, Fiber, type Layer } from "effect"
import { at, aUuid } from "../../foundation/primitives/ids.fixture.ts"
import { UnitOfWork } from "../../foundation/primitives/index.ts"
import { aProjectId } from "../../tenancy/projects/Project.fixture.ts"
import { IndividualId, VerifiedIndividuals } from "../VerifiedIndividuals.ts"
import { newSession } from "./newSession.ts"
import type { VerificationSession } from "./VerificationSession.ts"
import { VerificationSessionStore } from "./VerificationSessionStore.ts"

export const aSession = (fields: Partial<VerificationSession> = {}): VerificationSession => ({
  ...newSession({
    id: `kyb_${aUuid()}`,
    projectId: aProjectId(),
    kind: "business",
    identityId: `biz_${aUuid()}`,
    country: "BRAZIL",
    ownerIds: ["own_1", "own_2"],
    metadata: { order: "7" },
    now: at(0)
  }),
  ...fields
})

/** Contract tests that every `VerificationSessionStore` must pass. */
export const verificationSessionStoreContract = <E>(
  name: string,
  layer: Layer.Layer<VerificationSessionStore | VerifiedIndividuals | UnitOfWork, E>
): void => {
  withLayer(layer, { excludeTestServices: true })(`VerificationSessionStore: ${name}`, (it) => {
    it.effect("returns a session as it was inserted, only for its own project", () =>
      Effect.gen(function* () {
        const store = yield* VerificationSessionStore
        const session = aSession()
        assert.lengthOf(session.documents, 8)
        yield* store.insert({ session, sealed: "sealed text" })
        assert.deepStrictEqual(yield* store.find(session.projectId, session.id), { session, sealed: "sealed text" })
        assert.isNull(yield* store.find(aProjectId(), session.id))
        assert.isNull(yield* store.find(session.projectId, "kyb_unknown"))
      })
    )

    it.effect(
      "records who approved the parts of a session, and the last of several concurrent approvals returns all approvals",
      () =>
        Effect.gen(function* () {
          const store = yield* VerificationSessionStore
          const unitOfWork = yield* UnitOfWork
          const session = aSession()
          yield* store.insert({ session, sealed: "s" })
          const approve = (part: string, reviewer: string) =>
            unitOfWork.run(store.approvePart(session.projectId, session.id, part, reviewer, at(3)))
          assert.deepStrictEqual(yield* store.listApprovals(session.projectId, session.id), new Map())
          const parts = [session.id, "own_1", "own_2", "own_1"]
          const responses = yield* Effect.forEach(parts, (part) => approve(part, "ana"), { concurrency: "unbounded" })
          assert.isTrue(responses.some(({ size }) => size === 3))
          for (const reviewer of ["ben", "ana", "eva", "ben"]) yield* approve("own_1", reviewer)
          assert.deepStrictEqual(
            yield* store.listApprovals(session.projectId, session.id),
            new Map([
              [session.id, ["ana"]],
              ["own_1", ["ana", "ben"]],
              ["own_2", ["ana"]]
            ])
          )
          assert.deepStrictEqual(yield* store.listApprovals(session.projectId, "kyb_unknown"), new Map())
        })
    )

    it.effect("moves a session from each status once", () =>
      Effect.gen(function* () {
        const store = yield* VerificationSessionStore
        const session = aSession()
        yield* store.insert({ session, sealed: "s" })
        const failedSession = { ...session, status: "FAILED", reason: "The picture is dark", updatedAt: at(5) } as const
        const moveResults = yield* Effect.all(
          [store.recordTransition(failedSession, "PENDING"), store.recordTransition(failedSession, "PENDING")],
          {
            concurrency: "unbounded"
          }
        )
        assert.lengthOf(moveResults.filter(Boolean), 1)
        assert.deepStrictEqual((yield* store.find(session.projectId, session.id))?.session, failedSession)
      })
    )

    it.effect("assigns a due session in verification to one caller at a time", () =>
      Effect.gen(function* () {
        const store = yield* VerificationSessionStore
        const session = aSession()
        const storedSession = {
          session: { ...session, status: "VERIFYING" as const, updatedAt: at(1) },
          sealed: "sealed text"
        }
        const takeDueSessions = (now: number, until: number) =>
          Effect.map(store.claimDue(at(now), at(until), 1_000), (dueList) =>
            dueList.filter(({ session: { id } }) => id === session.id)
          )
        const dueSessionsAt = (dueAt: DateTime.Utc) => [{ ...storedSession, dueAt }]
        const initialDueAt = DateTime.makeUnsafe(0)
        yield* store.insert({ session, sealed: storedSession.sealed })
        assert.isEmpty(yield* takeDueSessions(1, 10))
        yield* store.recordTransition(storedSession.session, "PENDING")
        const claims = yield* Effect.all([takeDueSessions(1, 10), takeDueSessions(1, 10)], { concurrency: "unbounded" })
        assert.deepStrictEqual(claims.flat(), dueSessionsAt(initialDueAt))
        assert.isEmpty(yield* takeDueSessions(9, 20))
        assert.deepStrictEqual(yield* takeDueSessions(10, 20), dueSessionsAt(initialDueAt))
        yield* store.endCheck(session.projectId, session.id, initialDueAt, at(12))
        assert.isEmpty(yield* takeDueSessions(11, 30))
        assert.deepStrictEqual(yield* takeDueSessions(12, 30), dueSessionsAt(at(12)))
        yield* store.wake(session.projectId, session.id, at(13))
        assert.isEmpty(yield* takeDueSessions(14, 30))
        yield* store.endCheck(session.projectId, session.id, at(12), at(90))
        assert.deepStrictEqual(yield* takeDueSessions(14, 30), dueSessionsAt(at(13)))
        yield* store.recordTransition({ ...session, status: "COMPLETED" }, "VERIFYING")
        assert.isEmpty(yield* takeDueSessions(99, 100))
      })
    )

    it.effect("lists the sessions of a project, latest first, and those with one status", () =>
      Effect.gen(function* () {
        const store = yield* VerificationSessionStore
        const projectId = aProjectId()
        const [oldSession, lateSession] = [
          aSession({ projectId }),
          aSession({ projectId, status: "IN_REVIEW", createdAt: at(9) })
        ]
        for (const session of [oldSession, lateSession, aSession()]) yield* store.insert({ session, sealed: "s" })
        assert.deepStrictEqual(yield* store.list(projectId, null, null), [lateSession, oldSession])
        assert.deepStrictEqual(yield* store.list(projectId, null, 1), [lateSession])
        assert.deepStrictEqual(yield* store.list(projectId, "IN_REVIEW", null), [lateSession])
        assert.deepStrictEqual(yield* store.list(projectId, "COMPLETED", null), [])
      })
    )

    it.effect("returns the country of an identity by its latest session", () =>
      Effect.gen(function* () {
        const store = yield* VerificationSessionStore
        const session = aSession()
        const { identityId, projectId } = session
        assert.isNull(yield* store.findCountry(projectId, identityId))
        const laterSession = aSession({ projectId, identityId, country: "PORTUGAL", createdAt: at(9) })
        for (const insertedSession of [laterSession, session])
          yield* store.insert({ session: insertedSession, sealed: "s" })
        assert.strictEqual(yield* store.findCountry(projectId, identityId), "PORTUGAL")
        assert.isNull(yield* store.findCountry(aProjectId(), identityId))
      })
    )

    it.effect("counts sessions that wait for a reviewer, with the time since when they have waited", () =>
      Effect.gen(function* () {
        const store = yield* VerificationSessionStore
        const readReviewCount = Effect.map(store.countPending(null), (waits) =>
          waits.find(({ status }) => status === "IN_REVIEW")
        )
        const countBefore = (yield* readReviewCount)?.count ?? 0
        const updatedAt = at(-3_000_000)
        for (const status of ["IN_REVIEW", "IN_REVIEW", "COMPLETED"] as const) {
          yield* store.insert({ session: aSession({ status, updatedAt }), sealed: "s" })
        }
        const ownSession = aSession({ status: "IN_REVIEW" })
        yield* store.insert({ session: ownSession, sealed: "s" })
        assert.deepStrictEqual(yield* readReviewCount, {
          status: "IN_REVIEW",
          count: countBefore + 3,
          oldestAt: updatedAt
        })
        assert.deepStrictEqual(yield* store.countPending(ownSession.projectId), [
          { status: "IN_REVIEW", count: 1, oldestAt: ownSession.updatedAt }
        ])
        assert.deepStrictEqual(yield* store.countPending(aProjectId()), [])
      })
    )

    it.effect("lists sessions that have waited too long for documents", () =>
      Effect.gen(function* () {
        const store = yield* VerificationSessionStore
        const session = aSession({ expiresAt: at(-1_000_000) })
        yield* store.insert({ session, sealed: "s" })
        yield* store.insert({ session: aSession({ expiresAt: at(-1_000_000), status: "IN_REVIEW" }), sealed: "s" })
        assert.deepStrictEqual(
          yield* store.listOverdue(DateTime.subtract(session.expiresAt, { milliseconds: 1 }), 9),
          []
        )
        assert.deepStrictEqual(yield* store.listOverdue(session.expiresAt, 9), [session])
      })
    )

    it.effect("lists the sessions of an identity, and erases their data", () =>
      Effect.gen(function* () {
        const store = yield* VerificationSessionStore
        const session = aSession({ status: "FAILED", reason: "Not Ana" })
        const { identityId, projectId } = session
        const laterSession = aSession({ projectId, identityId, createdAt: at(9) })
        const otherSession = aSession({ projectId })
        for (const insertedSession of [session, laterSession, otherSession])
          yield* store.insert({ session: insertedSession, sealed: "s" })
        yield* store.findOrAddIdentity(projectId, "print of forgotten", identityId)
        const sessions = yield* store.listByIdentity(projectId, identityId)
        assert.deepStrictEqual(sessions, [
          { session: laterSession, sealed: "s" },
          { session, sealed: "s" }
        ])
        assert.deepStrictEqual(yield* store.listByIdentity(aProjectId(), identityId), [])
        yield* store.erase(aProjectId(), identityId)
        assert.deepStrictEqual(yield* store.listByIdentity(projectId, identityId), sessions)
        yield* store.erase(projectId, identityId)
        const erasedFields = { reason: null, metadata: {} }
        assert.deepStrictEqual(yield* store.listByIdentity(projectId, identityId), [
          { session: { ...laterSession, ...erasedFields }, sealed: "" },
          { session: { ...session, ...erasedFields }, sealed: "" }
        ])
        assert.deepStrictEqual((yield* store.find(projectId, otherSession.id))?.sealed, "s")
        assert.strictEqual(yield* store.findOrAddIdentity(projectId, "print of forgotten", "fresh"), "fresh")
      })
    )

    it.effect("lists identities whose sessions were all rejected, until the identities are erased", () =>
      Effect.gen(function* () {
        const store = yield* VerificationSessionStore
        const projectId = aProjectId()
        const sessionFields = { projectId, updatedAt: at(-2_000_000) }
        const [rejectedSession, verifiedSession] = [
          aSession({ ...sessionFields, status: "FAILED" }),
          aSession({ ...sessionFields, status: "FAILED" })
        ]
        const expiredSession = aSession({ ...sessionFields, identityId: rejectedSession.identityId, status: "EXPIRED" })
        const completedSession = aSession({
          ...sessionFields,
          identityId: verifiedSession.identityId,
          status: "COMPLETED"
        })
        const unrelatedSession = aSession({ projectId, status: "FAILED" })
        // An operator has verified this identity by other means.
        const sessionOfVerified = aSession({ ...sessionFields, status: "FAILED" })
        const { verify } = yield* VerifiedIndividuals
        yield* verify(projectId, { id: IndividualId.make(sessionOfVerified.identityId), verifiedAt: at(0) })
        const owner = aSession({
          ...sessionFields,
          kind: "individual",
          identityId: "own_in_use",
          ownerIds: [],
          status: "FAILED"
        })
        const sessionWithOwners = aSession({
          ...sessionFields,
          ownerIds: ["own_other", "own_in_use"],
          status: "COMPLETED"
        })
        const allSessions = [
          rejectedSession,
          expiredSession,
          verifiedSession,
          completedSession,
          unrelatedSession,
          sessionOfVerified,
          aSession(sessionFields),
          owner,
          sessionWithOwners
        ]
        for (const session of allSessions) yield* store.insert({ session, sealed: "s" })
        const findRejectedIdentities = () =>
          Effect.map(store.listRejected(at(-1_000_000), 99), (rejectedIdentities) =>
            rejectedIdentities.filter((one) => one.projectId === projectId)
          )
        assert.deepStrictEqual(yield* findRejectedIdentities(), [{ projectId, identityId: rejectedSession.identityId }])
        yield* store.erase(projectId, rejectedSession.identityId)
        assert.deepStrictEqual(yield* findRejectedIdentities(), [])
        yield* store.erase(projectId, sessionWithOwners.identityId)
        assert.deepStrictEqual(yield* findRejectedIdentities(), [{ projectId, identityId: owner.identityId }])
      })
    )

    it.effect("runs units of work for the same document one after another", () =>
      Effect.gen(function* () {
        const store = yield* VerificationSessionStore
        const unitOfWork = yield* UnitOfWork
        const projectId = aProjectId()
        const startIfFirst = unitOfWork.run(
          Effect.gen(function* () {
            const identityId = yield* store.findOrAddIdentity(projectId, "one print", `ind_${aUuid()}`)
            const isFirst = (yield* store.listByIdentity(projectId, identityId)).length === 0
            if (isFirst) yield* store.insert({ session: aSession({ projectId, identityId }), sealed: "s" })
            return isFirst
          })
        )
        const outcomes = yield* Effect.all(
          Array.from({ length: 6 }, () => startIfFirst),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(outcomes.filter(Boolean), 1)
      })
    )

    it.effect("starts no session of an identity while another unit of work has locked it", () =>
      Effect.gen(function* () {
        const store = yield* VerificationSessionStore
        const unitOfWork = yield* UnitOfWork
        const session = aSession({ status: "FAILED" })
        const { identityId, projectId } = session
        yield* store.findOrAddIdentity(projectId, "locked print", identityId)
        yield* store.insert({ session, sealed: "s" })
        const isLocked = yield* Deferred.make<void>()
        const startSession = unitOfWork.run(
          Effect.flatMap(store.findOrAddIdentity(projectId, "locked print", "ind_new"), (id) =>
            Effect.as(store.insert({ session: aSession({ projectId, identityId: id }), sealed: "s" }), id)
          )
        )
        const start = yield* Effect.forkChild(Effect.andThen(Deferred.await(isLocked), startSession))
        yield* unitOfWork.run(
          Effect.gen(function* () {
            yield* store.lockIdentity(projectId, identityId)
            yield* Deferred.succeed(isLocked, undefined)
            // The other unit of work gets time to insert its session if nothing prevents it.
            for (let i = 0; i < 20; i++) yield* store.find(projectId, session.id)
            assert.lengthOf(yield* store.listByIdentity(projectId, identityId), 1)
            yield* store.erase(projectId, identityId)
          })
        )
        assert.strictEqual(yield* Fiber.join(start), "ind_new")
      })
    )

    it.effect("finds an identity by its fingerprint, within its project", () =>
      Effect.gen(function* () {
        const store = yield* VerificationSessionStore
        const [projectId, otherProjectId] = [aProjectId(), aProjectId()]
        const ids = yield* Effect.forEach(
          ["a", "b", "c"],
          (newId) => store.findOrAddIdentity(projectId, "print", newId),
          {
            concurrency: "unbounded"
          }
        )
        assert.lengthOf(new Set(ids), 1)
        assert.strictEqual(yield* store.findOrAddIdentity(projectId, "print", "d"), ids[0])
        assert.strictEqual(yield* store.findOrAddIdentity(projectId, "another", "e"), "e")
        assert.strictEqual(yield* store.findOrAddIdentity(otherProjectId, "print", "f"), "f")
        yield* store.assign(projectId, "another", ids[0]!)
        assert.strictEqual(yield* store.findOrAddIdentity(projectId, "another", "g"), ids[0])
        assert.strictEqual(yield* store.findOrAddIdentity(otherProjectId, "another", "h"), "h")
      })
    )
  })
}
