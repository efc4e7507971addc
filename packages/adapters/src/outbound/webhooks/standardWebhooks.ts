import { createHmac, timingSafeEqual } from "node:crypto"
import { Redacted } from "effect"

/** Implements signatures of Standard Webhooks 1.0.0: HMAC-SHA256 of id, timestamp and body, joined by dots. */

const PREFIX = "whsec_"
const VERSION = "v1"

/**
 * Maximum difference between the clocks of sender and receiver, in seconds. An older delivery is treated as a replay.
 */
export const TOLERANCE_SECONDS = 300

const keyOf = (secret: string): Buffer =>
  Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, "base64")

const signatureOf = (secret: string, id: string, timestamp: string, body: string): string =>
  createHmac("sha256", keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest("base64")

/** Builds the three headers of a delivery, signed with every secret. The timestamp is in Unix seconds. */
export const signedHeaders = (
  secrets: ReadonlyArray<Redacted.Redacted<string>>,
  id: string,
  timestampSeconds: number,
  body: string
) => ({
  "webhook-id": id,
  "webhook-timestamp": String(timestampSeconds),
  "webhook-signature": secrets
    .map((secret) => `${VERSION},${signatureOf(Redacted.value(secret), id, String(timestampSeconds), body)}`)
    .join(" ")
})

/** Compares two signatures in constant time. */
export const isSameSignature = (a: string, b: string): boolean => {
  const [leftBytes, rightBytes] = [Buffer.from(a), Buffer.from(b)]
  return leftBytes.length === rightBytes.length && timingSafeEqual(leftBytes, rightBytes)
}

/** Headers in Node's format, with names in lower case. */
export type ReceivedHeaders = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** Verifies a received delivery. Returns the problem as text; null if the delivery is authentic and recent. */
export const verificationProblem = (
  secret: Redacted.Redacted<string>,
  headers: ReceivedHeaders,
  body: string,
  nowSeconds: number
): string | null => {
  const { "webhook-id": id, "webhook-signature": signatures, "webhook-timestamp": timestamp } = headers
  if (typeof id !== "string" || typeof timestamp !== "string" || typeof signatures !== "string") {
    return "a header is missing: webhook-id, webhook-timestamp and webhook-signature are required"
  }
  if (!/^\d{1,12}$/u.test(timestamp)) return "webhook-timestamp is not a number of seconds"
  const expectedSignature = `${VERSION},${signatureOf(Redacted.value(secret), id, timestamp, body)}`
  if (!signatures.split(" ").some((signature) => isSameSignature(signature, expectedSignature))) {
    return "no signature matches: another secret signed the webhook, or the body was changed"
  }
  const age = Math.abs(nowSeconds - Number(timestamp))
  return age > TOLERANCE_SECONDS ? `webhook-timestamp differs from this machine's clock by ${age} s` : null
}
