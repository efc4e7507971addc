import { Context, type Effect, Schema } from "effect"

/** Why the database is unusable at present. The text has no SQL statements and no URLs. */
export class DatabaseUnusable extends Schema.TaggedError<DatabaseUnusable>("core/readiness/DatabaseUnusable")(
  "DATABASE_UNUSABLE",
  { reason: Schema.String }
) {
  override get message(): string {
    return `The database ${this.reason}.`
  }
}

/** Checks that the database responds and accepts writes. */
export class DatabaseProbe extends Context.Service<
  DatabaseProbe,
  {
    /** Performs a write that changes nothing. */
    readonly write: Effect.Effect<void, DatabaseUnusable>
  }
>()("@countersign/core/readiness/DatabaseProbe") {}
