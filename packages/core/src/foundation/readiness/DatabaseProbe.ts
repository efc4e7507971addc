import { Context, type Effect, Schema } from "effect"

/** The database is currently unusable. The reason contains no SQL statements and no URLs. */
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
    /** Performs a write that does not change data. */
    readonly write: Effect.Effect<void, DatabaseUnusable>
  }
>()("@countersign/core/readiness/DatabaseProbe") {}
