import { Context, DateTime, Effect, Layer } from "effect"
import { UpstreamUnavailable } from "../foundation/errors/index.ts"
import { IdentityCallbackRefused } from "./errors.ts"
import { PersonalAccesses } from "./personal/PersonalAccesses.ts"
import { PersonalVault } from "./personal/PersonalVault.ts"
import {
  ConfiguredIdentityProvider,
  type IdentityCallback,
  type IdentityProvider,
  type Verdict
} from "./provider/IdentityProvider.ts"
import { sessionMoves } from "./sessions/sessionMoves.ts"
import { type DueSession, type StoredSession, VerificationSessionStore } from "./sessions/VerificationSessionStore.ts"
import { personalDataOf } from "./verification/BusinessVerification.ts"

const BATCH = 4
/** Duration of a claim. It leaves time to upload the documents of a business with many owners. */
const LEASE = { minutes: 15 }
/** Maximum duration of a check. It is shorter than the claim, so that no two checks of a session run concurrently. */
const MAX_CHECK = { minutes: 14 }
const RETRY_DELAY = { minutes: 1 }

const UNAVAILABLE = "the identity verification provider did not respond"

/** Runs the checks of sessions at the identity provider, from the submission to the verdict. */
export class VerificationChecks extends Context.Service<
  VerificationChecks,
  {
    /** The provider's name. Null if only reviewers decide. */
    readonly provider: string | null
    /** Claims and checks a batch of due sessions, and returns its size. */
    readonly checkDue: Effect.Effect<number>
    /**
     * Receives a webhook. Its content is not trusted: it only makes the session due, and the provider's API returns the
     * state.
     */
    readonly receive: (
      callback: IdentityCallback
    ) => Effect.Effect<"TAKEN" | "UNKNOWN_SESSION", IdentityCallbackRefused>
  }
>()("@countersign/core/identity/VerificationChecks") {
  static readonly layer = Layer.effect(
    VerificationChecks,
    Effect.gen(function* () {
      const provider = yield* ConfiguredIdentityProvider
      const store = yield* VerificationSessionStore
      const vault = yield* PersonalVault
      const accesses = yield* PersonalAccesses
      const { decide, followApproval, move } = yield* sessionMoves

      const readPersonalData = (reader: string, { sealed, session: { identityId, projectId } }: StoredSession) =>
        Effect.gen(function* () {
          const text = yield* vault.open(identityId, sealed)
          if (text === null) return null
          yield* accesses.record({ projectId, identityId, action: "SUBMITTED", reader, lastAt: yield* DateTime.now })
          return personalDataOf(text)
        })

      const verdictOf = (identityProvider: IdentityProvider, storedSession: StoredSession) =>
        identityProvider
          .check({
            session: storedSession.session,
            personalData: readPersonalData(identityProvider.name, storedSession)
          })
          .pipe(
            Effect.timeoutOrElse({
              duration: MAX_CHECK,
              orElse: () =>
                new UpstreamUnavailable({
                  upstream: identityProvider.name,
                  reason: "the check exceeded the time limit"
                })
            }),
            Effect.catch(({ message }) =>
              Effect.as(Effect.logWarning(UNAVAILABLE, message), { _tag: "Waiting" } satisfies Verdict)
            )
          )

      const applyVerdict = Effect.fnUntraced(function* ({ dueAt, session }: DueSession, verdict: Verdict) {
        switch (verdict._tag) {
          case "Waiting":
            return yield* store.endCheck(
              session.projectId,
              session.id,
              dueAt,
              DateTime.addDuration(yield* DateTime.now, RETRY_DELAY)
            )
          case "ForReview":
            return yield* move(session, "IN_REVIEW", null)
          case "Approved": {
            const approvedSession = yield* decide(session, { _tag: "Approve" })
            return approvedSession === null ? undefined : yield* followApproval(approvedSession)
          }
          case "Rejected":
            return yield* decide(session, { _tag: "Reject", reason: verdict.reason })
        }
      })

      const check = Effect.fnUntraced(function* (storedSession: DueSession) {
        const verdict: Verdict = provider === null ? { _tag: "ForReview" } : yield* verdictOf(provider, storedSession)
        yield* applyVerdict(storedSession, verdict)
      })

      return VerificationChecks.of({
        provider: provider?.name ?? null,
        checkDue: Effect.gen(function* () {
          const now = yield* DateTime.now
          const dueSessions = yield* store.claimDue(now, DateTime.addDuration(now, LEASE), BATCH)
          yield* Effect.forEach(
            dueSessions,
            (one) =>
              check(one).pipe(
                // A failed check must not stop the other checks. The session can be claimed again after the claim has
                // expired.
                Effect.catchCause((cause) => Effect.logError("a check of a verification session failed", cause)),
                Effect.annotateLogs({ sessionId: one.session.id })
              ),
            { concurrency: "unbounded", discard: true }
          )
          return dueSessions.length
        }),
        receive: Effect.fn("VerificationChecks.receive")(function* (callback) {
          const callbackContent =
            provider?.readCallback(callback) ??
            ({ _tag: "Refused", reason: "no identity verification provider is configured" } as const)
          if (callbackContent._tag === "Refused")
            return yield* new IdentityCallbackRefused({ reason: callbackContent.reason })
          if (callbackContent.session === null) return "TAKEN" as const
          const { projectId, sessionId } = callbackContent.session
          const storedSession = yield* store.find(projectId, sessionId)
          if (storedSession === null) return "UNKNOWN_SESSION" as const
          yield* store.wake(projectId, sessionId, yield* DateTime.now)
          return "TAKEN" as const
        })
      })
    })
  )
}
