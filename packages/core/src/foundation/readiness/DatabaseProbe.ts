import { Context, type Effect, Schema } from "effect"

/** The database takes nothing at the moment: why, in words that have neither statements nor URLs in them. */
export class DatabaseUnusable extends Schema.TaggedError<DatabaseUnusable>("core/readiness/DatabaseUnusable")(
  "DATABASE_UNUSABLE",
  { reason: Schema.String }
) {
  override get message(): string {
    return `The database ${this.reason}.`
  }
}

/** Whether the database answers, and stores what it is told. */
export class DatabaseProbe extends Context.Service<
  DatabaseProbe,
  {
    /** Stores something that changes nothing. */
    readonly write: Effect.Effect<void, DatabaseUnusable>
  }
>()("@countersign/core/readiness/DatabaseProbe") {}
