import { Effect } from "effect"
import { age } from "./encryption.ts"

/** Generates an age key pair. The recipient (public key) encrypts, and the identity (secret key) decrypts. */
export const newBackupKey = Effect.flatMap(age, ({ generateX25519Identity, identityToRecipient }) =>
  Effect.promise(async () => {
    const identity = await generateX25519Identity()
    return { identity, recipient: await identityToRecipient(identity) }
  })
)
