import { createHmac } from "node:crypto"
import type { IdentityCallback, IdentityCallbackContent } from "@countersign/core/identity"
import { ProjectId } from "@countersign/core/tenancy/projects"
import { Option, Redacted, Schema } from "effect"
import { isSameSignature } from "../../outbound/webhooks/index.ts"
import { sessionFromExternalId } from "./sumsubApplicants.ts"

const Message = Schema.fromJsonString(Schema.Struct({ externalUserId: Schema.optionalKey(Schema.String) }))
const decode = Schema.decodeUnknownOption(Message)

/** Supported digest algorithms. SHA-1, Sumsub's third algorithm, is not accepted. */
const algorithms = new Map([
  ["HMAC_SHA256_HEX", "sha256"],
  ["HMAC_SHA512_HEX", "sha512"]
])

const refusal = (reason: string): IdentityCallbackContent => ({ _tag: "Refused", reason })

/**
 * Verifies and decodes a webhook. Its signature is an HMAC of the body with the webhook's secret.
 * https://docs.sumsub.com/docs/webhook-manager
 */
export const readSumsubCallback = (
  secret: Redacted.Redacted<string> | null,
  { body, headers }: IdentityCallback
): IdentityCallbackContent => {
  if (secret === null) return refusal("this service has no secret to verify the signature")
  const algorithm = algorithms.get(headers["x-payload-digest-alg"] ?? "")
  if (algorithm === undefined) return refusal("x-payload-digest-alg is neither HMAC_SHA256_HEX nor HMAC_SHA512_HEX")
  const expectedSignature = createHmac(algorithm, Redacted.value(secret)).update(body).digest("hex")
  if (!isSameSignature(headers["x-payload-digest"] ?? "", expectedSignature)) {
    return refusal("x-payload-digest does not match the body")
  }
  const { externalUserId } = Option.getOrElse(decode(body), () => ({ externalUserId: undefined }))
  const session = externalUserId === undefined ? null : sessionFromExternalId(externalUserId)
  return {
    _tag: "Genuine",
    session: session === null ? null : { sessionId: session.sessionId, projectId: ProjectId.make(session.projectId) }
  }
}
