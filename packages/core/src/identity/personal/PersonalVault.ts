import { Context, type Effect } from "effect"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"

/**
 * Encrypts personal data with one key per identity. The operator's key encrypts these keys. Erasing an identity
 * destroys its key.
 */
export class PersonalVault extends Context.Service<
  PersonalVault,
  {
    /** The missing configuration without which personal data can't be stored. Null if the configuration is complete. */
    readonly problem: string | null
    /** Encrypts a text. Creates the identity's key if it does not exist. */
    readonly seal: (identityId: string, text: string) => Effect.Effect<string>
    /** Decrypts a text. Null if the identity's key was destroyed. */
    readonly open: (identityId: string, sealed: string) => Effect.Effect<string | null>
    /** Returns a keyed hash of fixed length. It is equal for equal texts, and does not reveal the text. */
    readonly fingerprint: (text: string) => Effect.Effect<string>
    /**
     * Destroys the key. Returns false if there is no key. The caller must run `purge` after the unit of work has been
     * committed.
     */
    readonly erase: (identityId: string) => Effect.Effect<boolean>
    /**
     * Removes destroyed keys from the database files, including keys of earlier erasures that were interrupted. Must
     * not run in a unit of work.
     */
    readonly purge: Effect.Effect<void, UpstreamUnavailable>
  }
>()("@countersign/core/identity/PersonalVault") {}
