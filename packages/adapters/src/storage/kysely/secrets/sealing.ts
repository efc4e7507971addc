import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto"
import { Context, Redacted, Schema } from "effect"

/** A key that encrypts secrets, and its id, which is stored with them. */
export interface SecretKey {
  readonly id: string
  readonly bytes: Redacted.Redacted<Uint8Array>
}

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Computes the id of a key from the key itself, so that keys need no numbers. */
export const secretKeyOf = (bytes: Uint8Array): SecretKey => ({
  id: createHash("sha256").update("countersign secret key").update(bytes).digest("hex").slice(0, 8),
  bytes: Redacted.make(bytes, { label: "secret key" })
})

/** Parses comma-separated 32-byte keys in base64; null if one is invalid. */
export const secretKeysOrNull = (text: string): ReadonlyArray<SecretKey> | null => {
  const keys = text.split(",").map((one) => Buffer.from(one.trim(), "base64"))
  return keys.every(({ length }) => length === KEY_BYTES) ? keys.map(secretKeyOf) : null
}

let processKeys: ReadonlyArray<SecretKey> | undefined

/**
 * The first key encrypts; all keys decrypt. With an empty list nothing can be encrypted. If no list is provided, the
 * process uses a temporary key, so that no secret is stored in plain text.
 */
export const SecretKeys = Context.Reference<ReadonlyArray<SecretKey>>("@countersign/adapters/kysely/SecretKeys", {
  defaultValue: () => {
    processKeys ??= [secretKeyOf(randomBytes(KEY_BYTES))]
    return processKeys
  }
})

/** A secret is encrypted with a key that the settings do not contain. */
export class SecretKeyMissing extends Schema.TaggedError<SecretKeyMissing>("adapters/kysely/SecretKeyMissing")(
  "SECRET_KEY_MISSING",
  { id: Schema.String }
) {
  override get message(): string {
    return (
      `The database contains secrets that are encrypted with the key ${this.id}, which SECRETS_KEY does not contain. ` +
      "Add this key to SECRETS_KEY again, after the other keys."
    )
  }
}

/** Secrets are stored only encrypted, but no encryption key is configured. */
export class SecretKeyNotSet extends Schema.TaggedError<SecretKeyNotSet>("adapters/kysely/SecretKeyNotSet")(
  "SECRET_KEY_NOT_SET",
  {}
) {
  override get message(): string {
    return "Secrets are stored only encrypted, but SECRETS_KEY is not set. Generate a key with `openssl rand -base64 32`."
  }
}

const PREFIX = "sealed:"

/** Returns the prefix of text that is encrypted with the first key. */
export const currentPrefix = ([key]: ReadonlyArray<SecretKey>): string => `${PREFIX}${key!.id}:`

/**
 * Encrypts a text and binds it to one place, such as a row, so that it can't be decrypted for another place. Throws if
 * there is no key.
 */
export const sealText = (keys: ReadonlyArray<SecretKey>, context: string, text: string): string => {
  if (keys.length === 0) throw new SecretKeyNotSet()
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv("aes-256-gcm", Redacted.value(keys[0]!.bytes), nonce).setAAD(Buffer.from(context))
  const segments = [nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]
  return `${currentPrefix(keys)}${Buffer.concat(segments).toString("base64url")}`
}

/** Returns the id of the key with which a text is encrypted. Empty if the text is not encrypted. */
export const sealingKeyId = (text: string): string =>
  text.startsWith(PREFIX) ? text.slice(PREFIX.length, text.indexOf(":", PREFIX.length)) : ""

/** Decrypts a text. Throws if the key is missing, or if the text was changed or encrypted for another place. */
export const openText = (keys: ReadonlyArray<SecretKey>, context: string, text: string): string => {
  const [id = "", content = ""] = text.slice(PREFIX.length).split(":")
  const key = keys.find((one) => one.id === id)
  if (key === undefined) throw new SecretKeyMissing({ id })
  const bytes = Buffer.from(content, "base64url")
  const end = bytes.length - TAG_BYTES
  const decipher = createDecipheriv("aes-256-gcm", Redacted.value(key.bytes), bytes.subarray(0, NONCE_BYTES))
  decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(end))
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, end)), decipher.final()]).toString("utf8")
}
