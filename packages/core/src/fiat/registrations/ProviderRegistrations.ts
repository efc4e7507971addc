import { Context, DateTime, Effect, Layer } from "effect"
import { BadRequest, UpstreamUnavailable } from "../../foundation/errors/index.ts"
import { UnitOfWork } from "../../foundation/primitives/index.ts"
import { waitSinceMs } from "../../foundation/work/index.ts"
import {
  ApprovalFollowUp,
  IndividualId,
  PersonalAccesses,
  PersonalVault,
  personalDataOf,
  type VerificationSession,
  VerificationSessionStore,
  VerifiedIndividuals
} from "../../identity/index.ts"
import { EventOutbox } from "../../tenancy/events/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import { IdentityNotFound } from "../errors.ts"
import { type FiatProvider, FiatProviders } from "../provider/FiatProvider.ts"
import { ProviderCustomers } from "../provider/ProviderCustomers.ts"
import { type ProviderRegistration, registrationAfter } from "./ProviderRegistration.ts"
import {
  type DueRegistration,
  ProviderRegistrationStore,
  type StoredRegistration
} from "./ProviderRegistrationStore.ts"
import { registrationMoved } from "./registrationEvent.ts"
import { type Submission, submissionOf, submissionTextOf } from "./Submission.ts"

const BATCH = 8
const LEASE = { minutes: 10 }
/** Shorter than the lease, so that two checks of a registration never send data to the provider concurrently. */
const LONGEST_CHECK = { minutes: 9 }
/** The caller of an approval or a submission makes the first attempt. A worker takes over after this time. */
const FIRST_ATTEMPT = { seconds: 10 }

/** Of the time since the latest change. */
const PAUSE = { shortestMs: 5_000, longestMs: 3_600_000, share: 1 / 8 }

/** How long a registration waits for its next check; null where only a message of the provider can change it. */
export const pauseMsOrNull = (
  { status, updatedAt }: Pick<ProviderRegistration, "status" | "updatedAt">,
  now: DateTime.Utc
): number | null => (status === "ACTIVE" || status === "REJECTED" ? null : waitSinceMs(updatedAt, now, PAUSE))

/** Registers verified identities as customers of the fiat providers that serve their country. */
export class ProviderRegistrations extends Context.Service<
  ProviderRegistrations,
  {
    /** By the order of the providers. */
    readonly list: (projectId: ProjectId, identityId: string) => Effect.Effect<ReadonlyArray<ProviderRegistration>>
    /** Asks providers about registrations whose time has come. How many. */
    readonly checkDue: Effect.Effect<number>
    /** Completes a registration that is ACTION_REQUIRED or REJECTED with an agreement or details, and starts another attempt. */
    readonly submit: (
      projectId: ProjectId,
      identityId: string,
      provider: string,
      submission: Submission
    ) => Effect.Effect<ProviderRegistration, IdentityNotFound | BadRequest>
    /** Where a customer accepts the terms of a provider. */
    readonly termsLink: (
      provider: string,
      redirectUrl: string | null
    ) => Effect.Effect<string, BadRequest | UpstreamUnavailable>
    /** For an operator's link: the provider is asked about its customer. */
    readonly wake: (provider: string, customer: string) => Effect.Effect<boolean>
    readonly record: (session: VerificationSession) => Effect.Effect<void>
    readonly start: (session: Pick<VerificationSession, "projectId" | "identityId">) => Effect.Effect<void>
  }
>()("@countersign/core/fiat/ProviderRegistrations") {
  static readonly layer = Layer.effect(
    ProviderRegistrations,
    Effect.gen(function* () {
      const providers = yield* FiatProviders
      const store = yield* ProviderRegistrationStore
      const sessions = yield* VerificationSessionStore
      const customers = yield* ProviderCustomers
      const individuals = yield* VerifiedIndividuals
      const vault = yield* PersonalVault
      const accesses = yield* PersonalAccesses
      const outbox = yield* EventOutbox
      const unit = yield* UnitOfWork

      const requireProvider = Effect.fnUntraced(function* (name: string) {
        const provider = providers.find((one) => one.name === name)
        if (provider !== undefined) return provider
        const known =
          providers.length === 0
            ? "None is configured."
            : `Expected one of ${providers.map((one) => one.name).join(", ")}.`
        return yield* BadRequest.of("provider", "unknown_provider", known)
      })

      /** A new attempt, with its event. */
      const begin = (registration: ProviderRegistration, sealed: string | null) =>
        unit.run(
          Effect.gen(function* () {
            const { createdAt, identityId, projectId, provider, updatedAt } = registration
            const before = (yield* store.ofIdentity(projectId, identityId)).find(
              (one) => one.registration.provider === provider
            )
            const kept = before === undefined ? createdAt : before.registration.createdAt
            const begun = { ...registration, createdAt: kept }
            yield* store.put({ registration: begun, sealed }, DateTime.add(updatedAt, FIRST_ATTEMPT))
            const previous = before?.registration.status ?? null
            if (previous !== "PENDING") yield* outbox.append(registrationMoved(begun, previous))
            return begun
          })
        )

      const outcomeOf = (
        provider: FiatProvider,
        session: VerificationSession,
        stored: StoredRegistration,
        sealed: string
      ) => {
        const { registration } = stored
        const { identityId, projectId } = registration
        const personal = Effect.gen(function* () {
          const text = yield* vault.open(identityId, sealed)
          if (text === null) return null
          const lastAt = yield* DateTime.now
          yield* accesses.record({ projectId, identityId, action: "SUBMITTED", reader: provider.name, lastAt })
          return personalDataOf(text)
        })
        return Effect.gen(function* () {
          const text = stored.sealed === null ? null : yield* vault.open(identityId, stored.sealed)
          const submission = text === null ? null : submissionOf(text)
          return yield* provider.customers.register({ registration, session, personal, submission })
        })
      }

      /** Stores what the provider has answered. A customer of an identity that was erased meanwhile is not linked. */
      const settle = Effect.fnUntraced(function* (
        { dueAt, registration: before }: DueRegistration,
        after: ProviderRegistration
      ) {
        const now = yield* DateTime.now
        const pause = pauseMsOrNull(after, now)
        const checkAt = pause === null ? null : DateTime.add(now, { milliseconds: pause })
        yield* unit.run(
          Effect.gen(function* () {
            if (yield* store.move(after, dueAt, checkAt)) {
              if (after !== before) yield* outbox.append(registrationMoved(after, before.status))
              return
            }
            const { identityId, projectId, provider } = before
            const isErased = (yield* store.ofIdentity(projectId, identityId)).length === 0
            if (isErased) yield* customers.unlink(projectId, IndividualId.make(identityId), provider)
          })
        )
      })

      const check = Effect.fnUntraced(function* (stored: DueRegistration) {
        const { registration } = stored
        const provider = providers.find(({ name }) => name === registration.provider)
        const { identityId, projectId, sessionId } = registration
        const found = yield* sessions.find(projectId, sessionId)
        const isVerified = yield* individuals.isVerified(projectId, identityId)
        // A provider that is no longer configured is asked again once it is. None is sent the data of an identity that was revoked.
        const outcome =
          provider === undefined || found === null || !isVerified
            ? null
            : yield* outcomeOf(provider, found.session, stored, found.sealed).pipe(
                Effect.timeoutOrElse({
                  duration: LONGEST_CHECK,
                  orElse: () =>
                    new UpstreamUnavailable({ upstream: provider.name, reason: "a registration takes too long" })
                }),
                Effect.catch(({ message }) =>
                  Effect.as(
                    Effect.logWarning("a registration with a fiat provider is tried again later", message),
                    null
                  )
                )
              )
        const now = yield* DateTime.now
        yield* settle(stored, outcome === null ? registration : registrationAfter(registration, outcome, now))
      })

      const take = Effect.fnUntraced(function* (
        dueAt: DateTime.Utc,
        identity: Pick<VerificationSession, "projectId" | "identityId"> | null
      ) {
        const until = DateTime.add(yield* DateTime.now, LEASE)
        const due = yield* store.takeDue(dueAt, until, BATCH, identity)
        yield* Effect.forEach(
          due,
          (one) =>
            check(one).pipe(
              // A registration that fails must not interrupt the others. Its lease ends, and it is taken again.
              Effect.catchCause((cause) => Effect.logError("a registration with a fiat provider failed", cause)),
              Effect.annotateLogs({ provider: one.registration.provider, identityId: one.registration.identityId })
            ),
          { concurrency: "unbounded", discard: true }
        )
        return due.length
      })

      const start = Effect.fnUntraced(function* (identity: Pick<VerificationSession, "projectId" | "identityId">) {
        yield* take(DateTime.add(yield* DateTime.now, FIRST_ATTEMPT), identity)
      })

      const list = (projectId: ProjectId, identityId: string) =>
        Effect.map(store.ofIdentity(projectId, identityId), (all) => all.map(({ registration }) => registration))

      return ProviderRegistrations.of({
        list,
        checkDue: Effect.flatMap(DateTime.now, (now) => take(now, null)),
        submit: Effect.fn("ProviderRegistrations.submit")(function* (projectId, identityId, name, submission) {
          yield* requireProvider(name)
          const stored = (yield* store.ofIdentity(projectId, identityId)).find(
            ({ registration }) => registration.provider === name
          )
          if (stored === undefined) return yield* new IdentityNotFound({ identityId })
          const { registration, sealed } = stored
          if (registration.status === "PENDING" || registration.status === "ACTIVE") {
            const message = `The registration with ${name} is ${registration.status} and needs nothing.`
            return yield* BadRequest.of("provider", "nothing_required", message)
          }
          const text = sealed === null ? null : yield* vault.open(identityId, sealed)
          const earlier = text === null ? {} : submissionOf(text)
          const details = { ...earlier.details, ...submission.details }
          const joined = { ...earlier, ...submission, details }
          const now = yield* DateTime.now
          const attempt = registration.attempt + 1
          yield* begin(
            { ...registration, status: "PENDING", reason: null, fields: [], attempt, updatedAt: now },
            yield* vault.seal(identityId, submissionTextOf(joined))
          )
          yield* start({ projectId, identityId })
          const after = (yield* list(projectId, identityId)).find(({ provider }) => provider === name)
          return after ?? (yield* new IdentityNotFound({ identityId }))
        }),
        termsLink: Effect.fn("ProviderRegistrations.termsLink")(function* (name, redirectUrl) {
          const { customers: registered } = yield* requireProvider(name)
          if (registered.termsLink === null) {
            return yield* BadRequest.of("provider", "no_terms", `${name} needs no agreement of its customers.`)
          }
          return yield* Effect.catchTag(registered.termsLink(redirectUrl), "FIAT_REFUSAL", ({ message }) =>
            BadRequest.of("redirectUrl", "refused", message)
          )
        }),
        wake: (provider, customer) => Effect.flatMap(DateTime.now, (now) => store.wake(provider, customer, now)),
        record: Effect.fnUntraced(function* ({ country, id, identityId, projectId, updatedAt }) {
          for (const { customers: registered, name } of providers) {
            if (!registered.serves(country)) continue
            const fresh: ProviderRegistration = {
              projectId,
              identityId,
              provider: name,
              sessionId: id,
              status: "PENDING",
              reason: null,
              fields: [],
              attempt: 0,
              createdAt: updatedAt,
              updatedAt
            }
            yield* begin(fresh, null)
          }
        }),
        start
      })
    })
  )

  /** Registers identities as they are approved. */
  static readonly layerFollowUp = Layer.effect(
    ApprovalFollowUp,
    Effect.map(ProviderRegistrations, ({ record, start }) => ({ record, start }))
  )
}
