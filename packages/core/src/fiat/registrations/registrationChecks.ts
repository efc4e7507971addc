import { DateTime, Effect } from "effect"
import { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import { UnitOfWork } from "../../foundation/primitives/index.ts"
import {
  IndividualId,
  PersonalAccesses,
  PersonalVault,
  personalDataOf,
  type VerificationSession,
  VerificationSessionStore,
  VerifiedIndividuals
} from "../../identity/index.ts"
import { EventOutbox } from "../../tenancy/events/index.ts"
import { type FiatProvider, FiatProviders } from "../provider/FiatProvider.ts"
import { ProviderCustomers } from "../provider/ProviderCustomers.ts"
import {
  checkDelayMsOrNull,
  type ProviderRegistration,
  registrationAfter,
  retryDelayMs
} from "./ProviderRegistration.ts"
import {
  type DueRegistration,
  ProviderRegistrationStore,
  type StoredRegistration
} from "./ProviderRegistrationStore.ts"
import { registrationEventOf } from "./registrationEvent.ts"
import { submissionOf } from "./Submission.ts"

const BATCH = 8
const LEASE = { minutes: 10 }
/**
 * Maximum duration of a check. It is shorter than the claim, so that no two checks send the data of a registration
 * concurrently.
 */
const MAX_CHECK = { minutes: 9 }

/** Sends the data of an identity to a provider, and returns whether it accepts the identity as a customer. */
const providerResponses = Effect.gen(function* () {
  const vault = yield* PersonalVault
  const accesses = yield* PersonalAccesses

  return (
    provider: FiatProvider,
    session: VerificationSession,
    storedRegistration: StoredRegistration,
    sealed: string
  ) => {
    const { registration } = storedRegistration
    const { identityId, projectId } = registration
    const personalData = Effect.gen(function* () {
      const text = yield* vault.open(identityId, sealed)
      if (text === null) return null
      const lastAt = yield* DateTime.now
      yield* accesses.record({ projectId, identityId, action: "SUBMITTED", reader: provider.name, lastAt })
      return personalDataOf(text)
    })
    return Effect.gen(function* () {
      const text = storedRegistration.sealed === null ? null : yield* vault.open(identityId, storedRegistration.sealed)
      const submission = text === null ? null : submissionOf(text)
      return yield* provider.customers.register({ registration, session, personalData: personalData, submission })
    })
  }
})

/** Checks the due registrations. Returns their number. */
export const registrationChecks = Effect.gen(function* () {
  const providers = yield* FiatProviders
  const store = yield* ProviderRegistrationStore
  const sessions = yield* VerificationSessionStore
  const customers = yield* ProviderCustomers
  const individuals = yield* VerifiedIndividuals
  const outbox = yield* EventOutbox
  const unitOfWork = yield* UnitOfWork
  const responseOf = yield* providerResponses

  /** Stores the provider's response. If the identity was erased in the meantime, removes its link to the customer. */
  const storeOutcome = Effect.fnUntraced(function* (
    { dueAt, registration: before }: DueRegistration,
    after: ProviderRegistration,
    checkAt: DateTime.Utc | null
  ) {
    yield* unitOfWork.run(
      Effect.gen(function* () {
        if (yield* store.recordOutcome(after, dueAt, checkAt)) {
          if (after !== before) yield* outbox.append(registrationEventOf(after, before.status))
          return
        }
        const { identityId, projectId, provider } = before
        const isErased = (yield* store.listByIdentity(projectId, identityId)).length === 0
        if (isErased) yield* customers.unlink(projectId, IndividualId.make(identityId), provider)
      })
    )
  })

  const check = Effect.fnUntraced(function* (storedRegistration: DueRegistration) {
    const { registration } = storedRegistration
    const provider = providers.find(({ name }) => name === registration.provider)
    const { identityId, projectId, sessionId } = registration
    const storedSession = yield* sessions.find(projectId, sessionId)
    const isVerified = yield* individuals.isVerified(projectId, identityId)
    // If the provider is no longer configured, the registration waits until it is configured again. The data of a
    // revoked identity are not sent to any provider.
    const outcome =
      provider === undefined || storedSession === null || !isVerified
        ? null
        : yield* responseOf(provider, storedSession.session, storedRegistration, storedSession.sealed).pipe(
            Effect.timeoutOrElse({
              duration: MAX_CHECK,
              orElse: () =>
                new UpstreamUnavailable({ upstream: provider.name, reason: "the registration exceeded the time limit" })
            }),
            Effect.catch(({ message }) =>
              Effect.as(
                Effect.logWarning("a registration with a fiat provider is retried later", message),
                "UNAVAILABLE" as const
              )
            )
          )
    const now = yield* DateTime.now
    const hasOutcome = outcome !== null && outcome !== "UNAVAILABLE"
    const after = hasOutcome ? registrationAfter(registration, outcome, now) : registration
    // A decided registration is checked only after a webhook, which the provider does not send again.
    const delayMs = outcome === "UNAVAILABLE" ? retryDelayMs(after, now) : checkDelayMsOrNull(after, now)
    yield* storeOutcome(
      storedRegistration,
      after,
      delayMs === null ? null : DateTime.add(now, { milliseconds: delayMs })
    )
  })

  return Effect.fnUntraced(function* (
    dueAt: DateTime.Utc,
    identity: Pick<VerificationSession, "projectId" | "identityId"> | null
  ) {
    const leaseUntil = DateTime.add(yield* DateTime.now, LEASE)
    const dueRegistrations = yield* store.claimDue(dueAt, leaseUntil, BATCH, identity)
    yield* Effect.forEach(
      dueRegistrations,
      (one) =>
        check(one).pipe(
          // A failed check must not stop the other checks. The registration can be claimed again after the claim has
          // expired.
          Effect.catchCause((cause) => Effect.logError("a registration with a fiat provider failed", cause)),
          Effect.annotateLogs({ provider: one.registration.provider, identityId: one.registration.identityId })
        ),
      { concurrency: "unbounded", discard: true }
    )
    return dueRegistrations.length
  })
})
