import { Context, type Effect, Schema } from "effect"
import { ProjectId } from "../../tenancy/projects/index.ts"

/**
 * The type of access to the personal data of an identity. SUBMITTED: the data were sent to the identity provider or to
 * a fiat provider.
 */
export const AccessAction = Schema.Literals(["SHOWN", "DOCUMENTS_OPENED", "SUBMITTED", "EXPORTED", "ERASED"])
export type AccessAction = typeof AccessAction.Type

/** The number of accesses of one type to one identity by one reader on one day. */
export const PersonalAccess = Schema.Struct({
  projectId: ProjectId,
  identityId: Schema.String,
  action: AccessAction,
  /** `operator`, `library`, `retention`, the name of a provider or a reviewer, or the id of an API key. */
  reader: Schema.String,
  /** The UTC day, such as `2026-11-24`. */
  day: Schema.String,
  times: Schema.Int,
  lastAt: Schema.DateTimeUtc
})
export type PersonalAccess = typeof PersonalAccess.Type

/** The party on whose behalf this fiber reads personal data. */
export const PersonalDataReader = Context.Reference<string>("@countersign/core/identity/PersonalDataReader", {
  defaultValue: () => "library"
})

/** Logs accesses to personal data, by reader and day. */
export class PersonalAccesses extends Context.Service<
  PersonalAccesses,
  {
    /** Increments the count of the identity, the type, the reader and the UTC day of `lastAt`. */
    readonly record: (access: Omit<PersonalAccess, "day" | "times">) => Effect.Effect<void>
    /** Returns accesses, latest first. If an identity is given, returns only its accesses. */
    readonly list: (
      projectId: ProjectId,
      identityId: string | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<PersonalAccess>>
  }
>()("@countersign/core/identity/PersonalAccesses") {}
