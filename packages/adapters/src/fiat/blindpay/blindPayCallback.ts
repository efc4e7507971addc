import type { CallbackContent, FiatCallback } from "@countersign/core/fiat"
import { Option, type Redacted, Schema } from "effect"
import { verificationProblem } from "../../outbound/webhooks/index.ts"

const Message = Schema.fromJsonString(Schema.Struct({ id: Schema.String, webhook_event: Schema.String }))
const decode = Schema.decodeUnknownOption(Message)

const callbackRefusal = (reason: string): CallbackContent => ({ _tag: "Refused", reason })

/**
 * Verifies and decodes a webhook. Svix sends BlindPay's webhooks: the signatures are those of Standard Webhooks, with
 * other header names.
 */
export const readBlindPayCallback = (
  secret: Redacted.Redacted<string> | null,
  { body, headers }: FiatCallback,
  nowSeconds: number
): CallbackContent => {
  if (secret === null) return callbackRefusal("this service has no secret to verify the signature")
  const problem = verificationProblem(
    secret,
    {
      "webhook-id": headers["svix-id"],
      "webhook-timestamp": headers["svix-timestamp"],
      "webhook-signature": headers["svix-signature"]
    },
    body,
    nowSeconds
  )
  if (problem !== null) return callbackRefusal(problem.replaceAll("webhook-", "svix-"))
  const message = Option.getOrNull(decode(body))
  const idOf = (events: RegExp) => (message !== null && events.test(message.webhook_event) ? message.id : null)
  return { _tag: "Genuine", providerOrder: idOf(/^(?:payin|payout)\./u), customer: idOf(/^customer\./u) }
}
