import { Context, type Effect } from "effect"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"

/**
 * Keeps what tells of a person sealed with a key of that person alone, which is sealed with the operator's. To forget a
 * person is to destroy that key.
 */
export class PersonalVault extends Context.Service<
  PersonalVault,
  {
    /** What the operator has to do before personal data can be kept; null where nothing is missing. */
    readonly problem: string | null
    /** Makes the key of the identity where there is none. */
    readonly seal: (identityId: string, text: string) => Effect.Effect<string>
    /** Null where the identity's key was destroyed. */
    readonly open: (identityId: string, sealed: string) => Effect.Effect<string | null>
    /** A text of fixed length by which the same secret text is known again, and which does not tell it. */
    readonly fingerprint: (text: string) => Effect.Effect<string>
    /** Destroys the key. False where there is none. `purge` completes it once the unit of work is stored. */
    readonly erase: (identityId: string) => Effect.Effect<boolean>
    /**
     * Removes erased keys from the files of the database too, where keys were erased since the last time: also those of an erasure whose
     * process ended before it could. Never in a unit of work.
     */
    readonly purge: Effect.Effect<void, UpstreamUnavailable>
  }
>()("@countersign/core/identity/PersonalVault") {}
