import { Effect, Redacted, Stream } from "effect"
import { BackupFailed, reasonOf } from "./errors.ts"

/** Imported on first use, because only backups need the library, and not every process that records erasures. */
export const age = Effect.promise(() => import("age-encryption"))

const decryptionFailure = (thrown: unknown) =>
  new BackupFailed({
    reason: `The backup can't be decrypted: ${reasonOf(thrown)}. The backup is damaged or incomplete, or BACKUP_IDENTITY is not the key for it.`
  })

/** Encrypts a stream as an age file (https://age-encryption.org/v1), chunk by chunk. */
export const encrypt = Effect.fnUntraced(function* <E, R>(recipient: string, content: Stream.Stream<Uint8Array, E, R>) {
  const plaintext = yield* Stream.toReadableStreamEffect(content)
  const { Encrypter } = yield* age
  const encrypter = new Encrypter()
  encrypter.addRecipient(recipient)
  const ciphertext = yield* Effect.promise(() =>
    encrypter.encrypt(plaintext as ReadableStream<Uint8Array<ArrayBuffer>>)
  )
  return Stream.fromReadableStream<Uint8Array, E>({ evaluate: () => ciphertext, onError: (thrown) => thrown as E })
})

/** Decrypts an age file. Each chunk and the end of the file are authenticated before they are used. */
export const decrypt = Effect.fnUntraced(function* (
  identity: Redacted.Redacted<string>,
  content: Stream.Stream<Uint8Array, BackupFailed>
) {
  const ciphertext = yield* Stream.toReadableStreamEffect(content)
  const { Decrypter } = yield* age
  const decrypter = new Decrypter()
  decrypter.addIdentity(Redacted.value(identity))
  const toBackupFailure = (thrown: unknown) => (thrown instanceof BackupFailed ? thrown : decryptionFailure(thrown))
  const plaintext = yield* Effect.tryPromise({
    try: () => decrypter.decrypt(ciphertext as ReadableStream<Uint8Array<ArrayBuffer>>),
    catch: toBackupFailure
  })
  return Stream.fromReadableStream({ evaluate: () => plaintext, onError: toBackupFailure })
})
