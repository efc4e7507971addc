import type { IdempotencyKeyReused, IdempotentRequestRunning } from "@countersign/core/idempotency"
import type { InvalidApiKey, ScopeMissing } from "@countersign/core/projects"
import type { WebhookDeliveryNotFound, WebhookDisabled, WebhookNotFound } from "@countersign/core/webhooks"

type Explained =
  | IdempotencyKeyReused
  | IdempotentRequestRunning
  | InvalidApiKey
  | ScopeMissing
  | WebhookDeliveryNotFound
  | WebhookDisabled
  | WebhookNotFound

const withHeaderName = (message: string): string => message.replace("idempotency key", "Idempotency-Key")

/** Sentences for clients of the API, which say what header is meant or what endpoint helps. */
const sentences: { readonly [E in Explained as E["_tag"]]: (error: E) => string } = {
  INVALID_API_KEY: () =>
    "The x-api-key header carries no valid API key. An operator makes one with `countersign key create`.",
  FORBIDDEN_SCOPE: ({ message, scope }) =>
    `${message} Use a key that has it, or make one with \`countersign key create --scope ${scope}\`.`,
  IDEMPOTENCY_KEY_REUSED: ({ message }) => withHeaderName(message),
  IDEMPOTENT_REQUEST_RUNNING: ({ message }) => withHeaderName(message),
  WEBHOOK_NOT_FOUND: ({ message }) => `${message} GET /api/v1/webhooks lists those of the project.`,
  WEBHOOK_DELIVERY_NOT_FOUND: ({ message, webhookId }) =>
    `${message} GET /api/v1/webhooks/${webhookId}/deliveries lists them.`,
  WEBHOOK_DISABLED: ({ id, message }) => `${message} Enable it with POST /api/v1/webhooks/${id}/enable.`
}

/** The message of an error in the API: a sentence from above, or else the core's own. */
export const sentenceOf = (error: { readonly _tag: string; readonly message: string }): string => {
  const explain = (sentences as Readonly<Record<string, (error: never) => string>>)[error._tag]
  return explain === undefined ? error.message : explain(error as never)
}
