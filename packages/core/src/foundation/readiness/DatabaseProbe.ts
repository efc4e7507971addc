import { Context, type Effect, Schema } from "effect"

/** Why the database cannot be used at present, in a text without statements and URLs. */
export class DatabaseUnusable extends Schema.TaggedError<DatabaseUnusable>("core/readiness/DatabaseUnusable")(
  "DATABASE_UNUSABLE",
  { reason: Schema.String }
) {
  override get message(): string {
    return `The database ${this.reason}.`
  }
}

/** Checks that the database answers and accepts writes. */
export class DatabaseProbe extends Context.Service<
  DatabaseProbe,
  {
    /** Performs a write that changes nothing. */
    readonly write: Effect.Effect<void, DatabaseUnusable>
  }
>()("@countersign/core/readiness/DatabaseProbe") {}
