import { Context, type DateTime, type Effect } from "effect"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { ProviderRegistration } from "./ProviderRegistration.ts"
import type { RegistrationStatus } from "./registrationStates.ts"

/**
 * A registration, and the submitted data, encrypted with the identity's key. `sealed` is null if no data were
 * submitted.
 */
export interface StoredRegistration {
  readonly registration: ProviderRegistration
  readonly sealed: string | null
}

/** A registration that one caller has claimed for a check. */
export interface DueRegistration extends StoredRegistration {
  readonly dueAt: DateTime.Utc
}

/** The registrations of all projects with one provider and one status, which is not ACTIVE. */
export interface PendingRegistrationCount {
  readonly provider: string
  readonly status: Exclude<RegistrationStatus, "ACTIVE">
  readonly count: number
  /** The time when the oldest of these registrations reached its status. */
  readonly oldestAt: DateTime.Utc
}

export class ProviderRegistrationStore extends Context.Service<
  ProviderRegistrationStore,
  {
    /**
     * Stores a registration that is due at `checkAt`. Replaces an earlier registration of the identity with the
     * provider.
     */
    readonly store: (storedRegistration: StoredRegistration, checkAt: DateTime.Utc) => Effect.Effect<void>
    readonly listByIdentity: (
      projectId: ProjectId,
      identityId: string
    ) => Effect.Effect<ReadonlyArray<StoredRegistration>>
    /**
     * Stores the registration after a response, ends its check, and sets the time of the next check. If that is null,
     * the registration waits for a webhook. If `wake` was called after the claim at `dueAt`, the registration stays
     * due. Returns false and stores nothing if the registration was erased, or if another attempt or session replaced
     * it.
     */
    readonly recordOutcome: (
      registration: ProviderRegistration,
      dueAt: DateTime.Utc,
      checkAt: DateTime.Utc | null
    ) => Effect.Effect<boolean>
    /**
     * Claims due registrations, the longest overdue first. If an identity is given, claims only its registrations. No
     * other caller gets them before `until` or before their check ends.
     */
    readonly claimDue: (
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
    readonly erase: (projectId: ProjectId, identityId: string) => Effect.Effect<void>
    readonly countPending: Effect.Effect<ReadonlyArray<PendingRegistrationCount>>
  }
>()("@countersign/core/fiat/ProviderRegistrationStore") {}
