import { Context, type Effect, Schema } from "effect"
import { ProjectId } from "../../tenancy/projects/index.ts"

/** What was done with the personal data of an identity. SUBMITTED: handed to the provider of verifications. */
export const AccessAction = Schema.Literals(["SHOWN", "DOCUMENTS_OPENED", "SUBMITTED", "EXPORTED", "ERASED"])
export type AccessAction = typeof AccessAction.Type

/** Accesses of one day, of one kind, by one reader. */
export const PersonalAccess = Schema.Struct({
  projectId: ProjectId,
  identityId: Schema.String,
  action: AccessAction,
  /** Who: `operator`, `library`, `retention`, the name of a provider, or the id of an API key. */
  reader: Schema.String,
  /** Of UTC, `2026-11-24`. */
  day: Schema.String,
  times: Schema.Int,
  lastAt: Schema.DateTimeUtc
})
export type PersonalAccess = typeof PersonalAccess.Type

/** Who reads personal data in this fiber. */
export const PersonalDataReader = Context.Reference<string>("@countersign/core/identity/PersonalDataReader", {
  defaultValue: () => "library"
})

/** Who has read personal data, and when. */
export class PersonalAccesses extends Context.Service<
  PersonalAccesses,
  {
    /** Adds to the accesses of the same day, kind and reader. */
    readonly record: (access: Omit<PersonalAccess, "day" | "times">) => Effect.Effect<void>
    /** The latest first; of one identity where it is given. */
    readonly list: (
      projectId: ProjectId,
      identityId: string | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<PersonalAccess>>
  }
>()("@countersign/core/identity/PersonalAccesses") {}
