import type { WebhookEvent } from "./resources.ts"

export interface ReceivedWebhook {
  /** The raw body as received, not parsed and serialized again. */
  readonly body: string
  readonly headers: Headers | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  /** The secret of the webhook, with the prefix `whsec_`. */
  readonly secret: string
  /** Maximum difference between the webhook's timestamp and the current time, in seconds. Default: 300. */
  readonly tolerance?: number
}

/** No signature is valid, or the timestamp is missing or differs too much from the current time. Respond with 401. */
export class InvalidWebhookError extends Error {
  override readonly name = "InvalidWebhookError"
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))

/** An HMAC-SHA256 signature in base64: 32 bytes. */
const SIGNATURE = /^[A-Za-z\d+/]{43}=$/u

/**
 * Verifies the signature and the timestamp (Standard Webhooks), and returns the event. Throws `InvalidWebhookError` if
 * one is invalid.
 */
export const verifyWebhook = async (received: ReceivedWebhook): Promise<WebhookEvent> => {
  const { body, headers, secret, tolerance = 300 } = received
  const header = (name: string): string =>
    String((headers instanceof Headers ? headers.get(name) : headers[name]) ?? "")
  const [id, sentAt] = [header("webhook-id"), header("webhook-timestamp")]
  // The negation also rejects a timestamp that is not a number.
  if (!(Math.abs(Date.now() / 1_000 - Number(sentAt || Number.NaN)) <= tolerance))
    throw new InvalidWebhookError("The webhook's timestamp differs too much from the current time.")
  const algorithm = { name: "HMAC", hash: "SHA-256" }
  const key = await crypto.subtle.importKey("raw", bytesOf(secret.replace("whsec_", "")), algorithm, false, ["verify"])
  const signedBytes = new TextEncoder().encode(`${id}.${sentAt}.${body}`)
  for (const versionedSignature of header("webhook-signature").split(" ")) {
    const [version, signature = ""] = versionedSignature.split(",")
    if (version !== "v1" || !SIGNATURE.test(signature)) continue
    if (await crypto.subtle.verify("HMAC", key, bytesOf(signature), signedBytes)) return JSON.parse(body)
  }
  throw new InvalidWebhookError("No signature of the webhook is valid.")
}
