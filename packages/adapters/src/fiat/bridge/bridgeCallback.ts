import { createHash, createPublicKey, verify } from "node:crypto"
import type { CallbackContent, FiatCallback } from "@countersign/core/fiat"
import { Option, Result, Schema } from "effect"

const Message = Schema.fromJsonString(
  Schema.Struct({ event_category: Schema.String, event_object: Schema.Struct({ id: Schema.String }) })
)
const decode = Schema.decodeUnknownOption(Message)

/** Maximum age of a signature in milliseconds. Bridge signs each attempt again, so an older signature is a replay. */
const MAX_MS = 10 * 60_000

const refusal = (reason: string): CallbackContent => ({ _tag: "Refused", reason })

const HEADER = /^t=(\d{1,15}),v0=([A-Za-z0-9+/]{1,2000}={0,2})$/u

/** Whether a text is a public RSA key as PEM. */
export const isPublicKey = (pem: string): boolean =>
  Result.match(
    Result.try(() => createPublicKey(pem)),
    { onSuccess: (key) => key.asymmetricKeyType === "rsa", onFailure: () => false }
  )

/**
 * Verifies Bridge's webhooks by an RSA signature of time and body. According to Bridge's documentation a digest is
 * signed, but its code samples hash that digest once more. Both variants are accepted, because each proves that Bridge
 * signed this content.
 */
export const readBridgeCallback = (
  publicKey: string | null,
  { body, headers }: FiatCallback,
  nowSeconds: number
): CallbackContent => {
  if (publicKey === null) return refusal("this service has no key to verify the signature")
  const [, time, signature] = HEADER.exec(headers["x-webhook-signature"] ?? "") ?? []
  if (time === undefined || signature === undefined) return refusal("x-webhook-signature is missing or malformed")
  if (Math.abs(nowSeconds * 1_000 - Number(time)) > MAX_MS)
    return refusal("the time of x-webhook-signature differs from the current time by more than 10 minutes")
  const signedText = Buffer.from(`${time}.${body}`)
  const bytes = Buffer.from(signature, "base64")
  const isGenuine = [signedText, createHash("sha256").update(signedText).digest()].some((content) =>
    verify("RSA-SHA256", content, publicKey, bytes)
  )
  if (!isGenuine) return refusal("x-webhook-signature is not valid for the key")
  const message = Option.getOrNull(decode(body))
  const idOf = (category: RegExp) =>
    message !== null && category.test(message.event_category) ? message.event_object.id : null
  return { _tag: "Genuine", providerOrder: idOf(/^transfers?$/u), customer: idOf(/^customers?$/u) }
}
