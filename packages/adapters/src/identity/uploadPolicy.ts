import { createHmac } from "node:crypto"
import type { UploadDescriptor } from "@countersign/core/identity"
import { Schema } from "effect"
import { isSameSignature } from "../outbound/webhooks/index.ts"

export type UploadFields = UploadDescriptor["fields"]

export const MAX_DOCUMENT_BYTES = 26_214_400
export const DOCUMENT_TYPES = ["application/pdf", "image/jpeg", "image/png"] as const
export type DocumentContentType = (typeof DOCUMENT_TYPES)[number]

const ALGORITHM = "HMAC-SHA256"
const CREDENTIAL = "countersign"
export const BUCKET = "documents"

/** The document that the holder of an upload descriptor may write, and the expiry. */
const Policy = Schema.Struct({
  expiration: Schema.Finite,
  bucket: Schema.String,
  key: Schema.String,
  projectId: Schema.String,
  identityId: Schema.String,
  date: Schema.String,
  maxBytes: Schema.Finite,
  contentTypes: Schema.Array(Schema.String)
})
export type Policy = typeof Policy.Type

const policyText = Schema.fromJsonString(Policy)
const encode = Schema.encodeSync(policyText)
const decode = Schema.decodeUnknownOption(policyText)

/** Computes the signature in lower-case hexadecimal. */
const signatureOf = (key: Uint8Array, date: string, policy: string): string =>
  createHmac("sha256", createHmac("sha256", key).update(date).digest()).update(policy).digest("hex")

/** Builds the form fields that authorize writing this one document. */
export const fieldsOf = (
  signingKey: Uint8Array,
  document: {
    readonly key: string
    readonly projectId: string
    readonly identityId: string
    readonly nowMs: number
    readonly expiresAtMs: number
  }
): UploadFields => {
  const date = new Date(document.nowMs).toISOString().replaceAll(/[:-]|\.\d{3}/gu, "")
  const { expiresAtMs: expiration, identityId, key, projectId } = document
  const contentTypes = [...DOCUMENT_TYPES]
  const maxBytes = MAX_DOCUMENT_BYTES
  const policy = { expiration, bucket: BUCKET, key, projectId, identityId, date, maxBytes, contentTypes }
  const text = Buffer.from(encode(policy)).toString("base64")
  return {
    bucket: BUCKET,
    key,
    Policy: text,
    "X-Upload-Algorithm": ALGORITHM,
    "X-Upload-Credential": CREDENTIAL,
    "X-Upload-Date": date,
    "X-Upload-Signature": signatureOf(signingKey, date, text)
  }
}

const FIELD_NAMES = [
  "bucket",
  "key",
  "Policy",
  "X-Upload-Algorithm",
  "X-Upload-Credential",
  "X-Upload-Date",
  "X-Upload-Signature"
] as const

const EXPIRED = "the descriptor has expired. Request the session again"

/** Verifies the form fields. Returns the policy, or the reason why they are rejected. */
export const policyOf = (
  signingKey: Uint8Array,
  fields: ReadonlyMap<string, string>,
  nowMs: number
): Policy | { readonly refusal: string } => {
  const missingField = FIELD_NAMES.find((name) => !fields.has(name))
  if (missingField !== undefined) return { refusal: `the field ${missingField} is missing or comes after the file` }
  const unknownField = [...fields.keys()].find((name) => !FIELD_NAMES.some((expectedName) => expectedName === name))
  if (unknownField !== undefined) return { refusal: "the form has a field that the descriptor does not contain" }
  const [text, date] = [fields.get("Policy")!, fields.get("X-Upload-Date")!]
  if (!isSameSignature(fields.get("X-Upload-Signature")!, signatureOf(signingKey, date, text))) {
    return { refusal: "the signature does not match the policy" }
  }
  const decodedPolicy = decode(Buffer.from(text, "base64").toString())
  // The signature is valid, so an earlier version of the service has created a policy with other fields.
  if (decodedPolicy._tag === "None") return { refusal: EXPIRED }
  const policy = decodedPolicy.value
  const isAsSigned =
    fields.get("key") === policy.key &&
    fields.get("bucket") === policy.bucket &&
    date === policy.date &&
    fields.get("X-Upload-Algorithm") === ALGORITHM &&
    fields.get("X-Upload-Credential") === CREDENTIAL
  if (!isAsSigned) return { refusal: "a field differs from the policy" }
  return policy.expiration > nowMs ? policy : { refusal: EXPIRED }
}

const startsWith = (head: Uint8Array, bytes: ReadonlyArray<number>): boolean =>
  bytes.every((byte, i) => head[i] === byte)

/** Determines the content type from the first bytes of a file; null for any other content. */
export const contentTypeOf = (head: Uint8Array): DocumentContentType | null => {
  if (startsWith(head, [0x25, 0x50, 0x44, 0x46, 0x2d])) return "application/pdf"
  if (startsWith(head, [0xff, 0xd8, 0xff])) return "image/jpeg"
  return startsWith(head, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) ? "image/png" : null
}
