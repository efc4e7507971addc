import { Context, DateTime, Effect, Layer } from "effect"
import { BadRequest, type UpstreamUnavailable } from "../../foundation/errors/index.ts"
import { UnitOfWork } from "../../foundation/primitives/index.ts"
import { ApprovalFollowUp, PersonalVault, type VerificationSession } from "../../identity/index.ts"
import { EventOutbox } from "../../tenancy/events/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import { IdentityNotFound } from "../errors.ts"
import { FiatProviders } from "../provider/FiatProvider.ts"
import { allowsNextAttempt, attemptOfSession, nextAttempt, type ProviderRegistration } from "./ProviderRegistration.ts"
import { ProviderRegistrationStore } from "./ProviderRegistrationStore.ts"
import { registrationChecks } from "./registrationChecks.ts"
import { registrationEventOf } from "./registrationEvent.ts"
import { mergeSubmissions, type Submission, submissionOf, submissionTextOf } from "./Submission.ts"

/**
 * Delay until a worker makes the first attempt. Normally, the request that approves the identity or submits its data
 * makes the attempt earlier.
 */
const FIRST_ATTEMPT = { seconds: 10 }

/** Registers verified identities as customers of the fiat providers that serve their country. */
export class ProviderRegistrations extends Context.Service<
  ProviderRegistrations,
  {
    /** Returns the registrations of an identity, sorted by provider. */
    readonly list: (projectId: ProjectId, identityId: string) => Effect.Effect<ReadonlyArray<ProviderRegistration>>
    /** Checks due registrations at their providers. Returns the number of checked registrations. */
    readonly checkDue: Effect.Effect<number>
    /**
     * Adds an agreement or other data to a registration that is ACTION_REQUIRED or REJECTED, and starts another
     * attempt.
     */
    readonly submit: (
      projectId: ProjectId,
      identityId: string,
      provider: string,
      submission: Submission
    ) => Effect.Effect<ProviderRegistration, IdentityNotFound | BadRequest>
    /** Returns the page on which a customer accepts the terms of a provider. */
    readonly termsLink: (
      provider: string,
      redirectUrl: string | null
    ) => Effect.Effect<string, BadRequest | UpstreamUnavailable>
    /**
     * Makes the registration of a customer due, after a webhook or after an operator has linked the customer. Returns
     * false if no registered identity is linked to the customer.
     */
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
      const vault = yield* PersonalVault
      const outbox = yield* EventOutbox
      const unitOfWork = yield* UnitOfWork
      const checkRegistration = yield* registrationChecks

      const requireProvider = Effect.fnUntraced(function* (name: string) {
        const provider = providers.find((one) => one.name === name)
        if (provider !== undefined) return provider
        const providersText =
          providers.length === 0
            ? "None is configured."
            : `Expected one of ${providers.map((one) => one.name).join(", ")}.`
        return yield* BadRequest.of("provider", "unknown_provider", providersText)
      })

      /** Stores a new attempt. Also stores its event, unless the registration was already PENDING. */
      const begin = (registration: ProviderRegistration, sealed: string | null) =>
        unitOfWork.run(
          Effect.gen(function* () {
            const { createdAt, identityId, projectId, provider, updatedAt } = registration
            const registrationBefore = (yield* store.listByIdentity(projectId, identityId)).find(
              (one) => one.registration.provider === provider
            )
            const creationTime =
              registrationBefore === undefined ? createdAt : registrationBefore.registration.createdAt
            const newRegistration = { ...registration, createdAt: creationTime }
            yield* store.store({ registration: newRegistration, sealed }, DateTime.add(updatedAt, FIRST_ATTEMPT))
            const previous = registrationBefore?.registration.status ?? null
            if (previous !== "PENDING") yield* outbox.append(registrationEventOf(newRegistration, previous))
            return newRegistration
          })
        )

      const start = Effect.fnUntraced(function* (identity: Pick<VerificationSession, "projectId" | "identityId">) {
        yield* checkRegistration(DateTime.add(yield* DateTime.now, FIRST_ATTEMPT), identity)
      })

      const list = (projectId: ProjectId, identityId: string) =>
        Effect.map(store.listByIdentity(projectId, identityId), (all) => all.map(({ registration }) => registration))

      return ProviderRegistrations.of({
        list,
        checkDue: Effect.flatMap(DateTime.now, (now) => checkRegistration(now, null)),
        submit: Effect.fn("ProviderRegistrations.submit")(function* (projectId, identityId, name, submission) {
          yield* requireProvider(name)
          const storedRegistration = (yield* store.listByIdentity(projectId, identityId)).find(
            ({ registration }) => registration.provider === name
          )
          if (storedRegistration === undefined) return yield* new IdentityNotFound({ identityId })
          const { registration, sealed } = storedRegistration
          if (!allowsNextAttempt(registration)) {
            const message = `The registration with ${name} is ${registration.status} and needs no data.`
            return yield* BadRequest.of("provider", "nothing_required", message)
          }
          const text = sealed === null ? null : yield* vault.open(identityId, sealed)
          const mergedSubmission = mergeSubmissions(text === null ? {} : submissionOf(text), submission)
          yield* begin(
            nextAttempt(registration, yield* DateTime.now),
            yield* vault.seal(identityId, submissionTextOf(mergedSubmission))
          )
          yield* start({ projectId, identityId })
          const registrationAfter = (yield* list(projectId, identityId)).find(({ provider }) => provider === name)
          return registrationAfter ?? (yield* new IdentityNotFound({ identityId }))
        }),
        termsLink: Effect.fn("ProviderRegistrations.termsLink")(function* (name, redirectUrl) {
          const { customers: customerRegistration } = yield* requireProvider(name)
          if (customerRegistration.termsLink === null) {
            return yield* BadRequest.of("provider", "no_terms", `${name} requires no agreement from its customers.`)
          }
          return yield* Effect.catchTag(customerRegistration.termsLink(redirectUrl), "FIAT_REFUSAL", ({ message }) =>
            BadRequest.of("redirectUrl", "refused", message)
          )
        }),
        wake: (provider, customer) => Effect.flatMap(DateTime.now, (now) => store.wake(provider, customer, now)),
        record: Effect.fnUntraced(function* (session) {
          const registrationsBefore = yield* list(session.projectId, session.identityId)
          yield* Effect.forEach(
            providers.filter(({ customers }) => customers.serves(session.country)),
            ({ name }) => {
              const before = registrationsBefore.find(({ provider }) => provider === name) ?? null
              return begin(attemptOfSession(session, name, before), null)
            },
            { discard: true }
          )
        }),
        start
      })
    })
  )

  /** Registers identities when they are approved. */
  static readonly layerFollowUp = Layer.effect(
    ApprovalFollowUp,
    Effect.map(ProviderRegistrations, ({ record, start }) => ({ record, start }))
  )
}
