import type { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { Context, type Effect, type Redacted } from "effect"

/** A 32-byte key for each identity with stored data, and for data that belong to no identity. */
export class SubjectKeys extends Context.Service<
  SubjectKeys,
  {
    /** What the operator must configure before keys can be stored; null if nothing is missing. */
    readonly problem: string | null
    /** Returns a key; null if there is none or it was destroyed. */
    readonly find: (id: string) => Effect.Effect<Redacted.Redacted<Uint8Array> | null>
    /** Returns the key, and creates it if there is none. All concurrent callers get the same key. */
    readonly ensure: (id: string) => Effect.Effect<Redacted.Redacted<Uint8Array>>
    /** Destroys a key. Returns false if there is none. */
    readonly erase: (id: string) => Effect.Effect<boolean>
    /**
     * Removes destroyed keys from the database files, if any were destroyed since the last purge. Must not run in a
     * transaction.
     */
    readonly purge: Effect.Effect<void, UpstreamUnavailable>
  }
>()("@countersign/adapters/kysely/SubjectKeys") {}
