import { Context, type DateTime, type Effect } from "effect"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { ProviderRegistration } from "./ProviderRegistration.ts"
import type { RegistrationStatus } from "./registrationStates.ts"

/** A registration with the submitted data, encrypted with the identity's key; null if no data were submitted. */
export interface StoredRegistration {
  readonly registration: ProviderRegistration
  readonly sealed: string | null
}

/** A registration that one caller has claimed for a check. */
export interface DueRegistration extends StoredRegistration {
  readonly dueAt: DateTime.Utc
}

/** The number of registrations of all projects with a status other than ACTIVE. */
export interface RegistrationWait {
  readonly provider: string
  readonly status: Exclude<RegistrationStatus, "ACTIVE">
  readonly count: number
  /** When the oldest of these registrations reached its status. */
  readonly oldestAt: DateTime.Utc
}

export class ProviderRegistrationStore extends Context.Service<
  ProviderRegistrationStore,
  {
    /** Stores a registration, due at `checkAt`. Replaces an earlier registration of the identity with the provider. */
    readonly put: (stored: StoredRegistration, checkAt: DateTime.Utc) => Effect.Effect<void>
    readonly ofIdentity: (projectId: ProjectId, identityId: string) => Effect.Effect<ReadonlyArray<StoredRegistration>>
    /**
     * Stores the registration after a response, ends its check, and sets the time of the next check; null waits for a
     * callback. If `wake` was called after the claim at `dueAt`, the registration stays due. Returns false and stores
     * nothing if the registration was erased, or replaced by another attempt or session.
     */
    readonly move: (
      registration: ProviderRegistration,
      dueAt: DateTime.Utc,
      checkAt: DateTime.Utc | null
    ) => Effect.Effect<boolean>
    /**
     * Claims due registrations, those with the longest wait first. If an identity is given, only its registrations. No
     * other caller gets them before `until` or the end of their check.
     */
    readonly takeDue: (
      now: DateTime.Utc,
      until: DateTime.Utc,
      limit: number,
      identity: { readonly projectId: ProjectId; readonly identityId: string } | null
    ) => Effect.Effect<ReadonlyArray<DueRegistration>>
    /**
     * Makes the registration of a provider's customer due. Returns false if no registered identity is linked to the
     * customer.
     */
    readonly wake: (provider: string, customer: string, now: DateTime.Utc) => Effect.Effect<boolean>
    readonly forget: (projectId: ProjectId, identityId: string) => Effect.Effect<void>
    readonly waits: Effect.Effect<ReadonlyArray<RegistrationWait>>
  }
>()("@countersign/core/fiat/ProviderRegistrationStore") {}
