import { Context, type Effect } from "effect"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"

/**
 * Encrypts personal data with a key per identity, which is itself encrypted with the operator's key. Erasing an
 * identity destroys its key.
 */
export class PersonalVault extends Context.Service<
  PersonalVault,
  {
    /** What the operator has to configure before personal data can be stored; null if nothing is missing. */
    readonly problem: string | null
    /** Encrypts a text. Creates the key of the identity if there is none. */
    readonly seal: (identityId: string, text: string) => Effect.Effect<string>
    /** Decrypts a text; null if the identity's key was destroyed. */
    readonly open: (identityId: string, sealed: string) => Effect.Effect<string | null>
    /** A keyed hash of fixed length: equal for equal texts, and it does not reveal the text. */
    readonly fingerprint: (text: string) => Effect.Effect<string>
    /** Destroys the key. Returns false if there is none. Call `purge` once the unit of work is stored. */
    readonly erase: (identityId: string) => Effect.Effect<boolean>
    /**
     * Removes destroyed keys from the database files as well, including keys from earlier erasures that were
     * interrupted. Must not run in a unit of work.
     */
    readonly purge: Effect.Effect<void, UpstreamUnavailable>
  }
>()("@countersign/core/identity/PersonalVault") {}
