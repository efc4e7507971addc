import type { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { Context, type Effect, type Redacted } from "effect"

/** A key of 32 bytes for each identity with stored data, and for data without an identity. */
export class SubjectKeys extends Context.Service<
  SubjectKeys,
  {
    /** What the operator has to configure before keys can be stored; null if nothing is missing. */
    readonly problem: string | null
    /** Null if there is none, or it was destroyed. */
    readonly find: (id: string) => Effect.Effect<Redacted.Redacted<Uint8Array> | null>
    /** The key, created if there is none; the same for all concurrent callers. */
    readonly ensure: (id: string) => Effect.Effect<Redacted.Redacted<Uint8Array>>
    /** Returns false if there is none. */
    readonly erase: (id: string) => Effect.Effect<boolean>
    /**
     * Removes destroyed keys from the database files as well, if any were destroyed since the last purge. Must not run
     * in a transaction.
     */
    readonly purge: Effect.Effect<void, UpstreamUnavailable>
  }
>()("@countersign/adapters/kysely/SubjectKeys") {}
