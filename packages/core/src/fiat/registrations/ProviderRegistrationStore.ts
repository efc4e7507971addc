import { Context, type DateTime, type Effect } from "effect"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { ProviderRegistration } from "./ProviderRegistration.ts"
import type { RegistrationStatus } from "./registrationStates.ts"

/** A registration with the submitted data, sealed with the identity's key; null where none was submitted. */
export interface StoredRegistration {
  readonly registration: ProviderRegistration
  readonly sealed: string | null
}

/** A registration whose check one caller makes. */
export interface DueRegistration extends StoredRegistration {
  readonly dueAt: DateTime.Utc
}

/** Registrations of every project that are not active. */
export interface RegistrationWait {
  readonly provider: string
  readonly status: Exclude<RegistrationStatus, "ACTIVE">
  readonly count: number
  /** When the oldest of them came to this status. */
  readonly oldestAt: DateTime.Utc
}

export class ProviderRegistrationStore extends Context.Service<
  ProviderRegistrationStore,
  {
    /** Replaces an earlier registration of the identity with the provider. It is due at `checkAt`. */
    readonly put: (stored: StoredRegistration, checkAt: DateTime.Utc) => Effect.Effect<void>
    readonly ofIdentity: (projectId: ProjectId, identityId: string) => Effect.Effect<ReadonlyArray<StoredRegistration>>
    /**
     * Stores the registration as it is after an answer, ends its check, and sets when it is checked next, null for not before a callback.
     * Where it was woken since it was taken as due at `dueAt`, it stays due. False, and nothing is stored, where it was erased or replaced
     * by another attempt or session.
     */
    readonly move: (
      registration: ProviderRegistration,
      dueAt: DateTime.Utc,
      checkAt: DateTime.Utc | null
    ) => Effect.Effect<boolean>
    /**
     * Those whose time has come, the longest due first; of one identity where it is given. No other caller gets them before `until`, or
     * before their check ends.
     */
    readonly takeDue: (
      now: DateTime.Utc,
      until: DateTime.Utc,
      limit: number,
      identity: { readonly projectId: ProjectId; readonly identityId: string } | null
    ) => Effect.Effect<ReadonlyArray<DueRegistration>>
    /** Makes the registration of a provider's customer due. False where the customer is not linked with a registered identity. */
    readonly wake: (provider: string, customer: string, now: DateTime.Utc) => Effect.Effect<boolean>
    readonly forget: (projectId: ProjectId, identityId: string) => Effect.Effect<void>
    readonly waits: Effect.Effect<ReadonlyArray<RegistrationWait>>
  }
>()("@countersign/core/fiat/ProviderRegistrationStore") {}
