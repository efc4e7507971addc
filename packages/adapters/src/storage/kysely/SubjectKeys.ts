import type { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { Context, type Effect, type Redacted } from "effect"

/** A key of 32 bytes for each identity whose data is kept, and for what belongs to none. */
export class SubjectKeys extends Context.Service<
  SubjectKeys,
  {
    /** What the operator has to do before keys can be kept; null where nothing is missing. */
    readonly problem: string | null
    /** Null where there is none, or it was destroyed. */
    readonly find: (id: string) => Effect.Effect<Redacted.Redacted<Uint8Array> | null>
    /** The key, made where there is none; the same for all that ask at once. */
    readonly ensure: (id: string) => Effect.Effect<Redacted.Redacted<Uint8Array>>
    /** False where there is none. */
    readonly erase: (id: string) => Effect.Effect<boolean>
    /** Removes erased keys from the files of the database too, where keys were erased since the last time. Never in a transaction. */
    readonly purge: Effect.Effect<void, UpstreamUnavailable>
  }
>()("@countersign/adapters/kysely/SubjectKeys") {}
