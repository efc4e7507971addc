import { Option, Schema } from "effect"
import { ProjectId } from "./Project.ts"

/** Scopes within one project. A key with the scope `admin` may grant them. */
export const ProjectScope = Schema.Literals(["read", "quote", "execute", "fiat", "kyc", "admin"])

/** `operator` covers the data of all projects. Only the command line can grant it. */
export const Scope = Schema.Literals([...ProjectScope.literals, "operator"])
export type Scope = typeof Scope.Type
export const scopes: ReadonlyArray<Scope> = Scope.literals

/** The stored part of an API key. The key itself is returned only once, when it is created. */
export const ApiKey = Schema.Struct({
  /** The 16 base-62 characters of the key's text that identify the key. */
  id: Schema.String,
  projectId: ProjectId,
  name: Schema.String,
  environment: Schema.String,
  /**
   * SHA-256 of the complete key text, in hexadecimal. A slow hash is not needed, because the secret has 190 bits of
   * entropy.
   */
  hash: Schema.String,
  scopes: Schema.Array(Scope),
  createdAt: Schema.DateTimeUtc,
  expiresAt: Schema.NullOr(Schema.DateTimeUtc),
  revokedAt: Schema.NullOr(Schema.DateTimeUtc),
  lastUsedAt: Schema.NullOr(Schema.DateTimeUtc)
})
export type ApiKey = typeof ApiKey.Type

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const ID_LENGTH = 16
const SECRET_LENGTH = 32
const CHECKSUM_LENGTH = 6

/** Number of random bytes from which `apiKeyText` derives an id and a secret. It skips bytes of 248 or more. */
export const API_KEY_ENTROPY_BYTES = 128

/** Computes CRC-32 (ISO 3309), which detects mistyped keys without a database query. */
const crc32 = (text: string): number => {
  let crc = 0xffffffff
  for (let i = 0; i < text.length; i++) {
    crc ^= text.charCodeAt(i)
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}

const checksumOf = (body: string): string => {
  let checksum = crc32(body)
  let text = ""
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    text = ALPHABET[checksum % 62] + text
    checksum = Math.floor(checksum / 62)
  }
  return text
}

/** Builds `cs_<environment>_<id>_<secret><checksum>` from random bytes. `None` if too many bytes were skipped. */
export const apiKeyText = (
  environment: string,
  entropy: Uint8Array
): Option.Option<{ readonly id: string; readonly text: string }> => {
  // 248 = 4 × 62. Higher bytes would make the first characters of the alphabet more likely than the others.
  const characters = [...entropy].filter((byte) => byte < 248).map((byte) => ALPHABET[byte % 62])
  if (characters.length < ID_LENGTH + SECRET_LENGTH) return Option.none()
  const id = characters.slice(0, ID_LENGTH).join("")
  const secret = characters.slice(ID_LENGTH, ID_LENGTH + SECRET_LENGTH).join("")
  const body = `cs_${environment}_${id}_${secret}`
  return Option.some({ id, text: body + checksumOf(body) })
}

/** Returns the id in a key's text. `None` if the format or the checksum is wrong. */
export const apiKeyIdOrNone = (text: string): Option.Option<string> => {
  const match = /^(cs_[a-z]{1,10}_([0-9A-Za-z]{16})_[0-9A-Za-z]{32})([0-9A-Za-z]{6})$/u.exec(text)
  return match !== null && checksumOf(match[1]!) === match[3] ? Option.some(match[2]!) : Option.none()
}
