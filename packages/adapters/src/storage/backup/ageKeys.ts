import { Effect } from "effect"
import { age } from "./encryption.ts"

/** A new key pair of age: the identity decrypts, and its recipient only encrypts. */
export const newBackupKey = Effect.flatMap(age, ({ generateX25519Identity, identityToRecipient }) =>
  Effect.promise(async () => {
    const identity = await generateX25519Identity()
    return { identity, recipient: await identityToRecipient(identity) }
  })
)
