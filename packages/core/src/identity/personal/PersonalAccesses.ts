import { Context, type Effect, Schema } from "effect"
import { ProjectId } from "../../tenancy/projects/index.ts"

/** The kind of access to the personal data of an identity. SUBMITTED: sent to the identity provider. */
export const AccessAction = Schema.Literals(["SHOWN", "DOCUMENTS_OPENED", "SUBMITTED", "EXPORTED", "ERASED"])
export type AccessAction = typeof AccessAction.Type

/** The accesses of one day, one kind and one reader. */
export const PersonalAccess = Schema.Struct({
  projectId: ProjectId,
  identityId: Schema.String,
  action: AccessAction,
  /** `operator`, `library`, `retention`, the name of a provider, or the id of an API key. */
  reader: Schema.String,
  /** The day in UTC, such as `2026-11-24`. */
  day: Schema.String,
  times: Schema.Int,
  lastAt: Schema.DateTimeUtc
})
export type PersonalAccess = typeof PersonalAccess.Type

/** The party that reads personal data in this fiber. */
export const PersonalDataReader = Context.Reference<string>("@countersign/core/identity/PersonalDataReader", {
  defaultValue: () => "library"
})

/** The log of who read personal data, and when. */
export class PersonalAccesses extends Context.Service<
  PersonalAccesses,
  {
    /** Increments the count for the day, kind and reader. */
    readonly record: (access: Omit<PersonalAccess, "day" | "times">) => Effect.Effect<void>
    /** Latest first; only those of one identity if it is given. */
    readonly list: (
      projectId: ProjectId,
      identityId: string | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<PersonalAccess>>
  }
>()("@countersign/core/identity/PersonalAccesses") {}
