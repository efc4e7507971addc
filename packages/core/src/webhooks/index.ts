export { WebhookDeliveryNotFound, WebhookDisabled, WebhookNotFound } from "./errors.ts"
export { type DeliveryBatch, WebhookDeliveries } from "./WebhookDeliveries.ts"
export { ATTEMPT_LOG_MAX, WebhookAttempt, WebhookDelivery, WebhookDeliveryStatus } from "./WebhookDelivery.ts"
export { activeSecrets, SECRETS_MAX, WebhookEndpoint, WebhookSecret } from "./WebhookEndpoint.ts"
export {
  NoWebhookAnswer,
  type UrlProblem,
  type WebhookAnswer,
  type WebhookMessage,
  WebhookSender
} from "./WebhookSender.ts"
export {
  type ClaimedDelivery,
  type DeliveryClaim,
  type DeliveryPage,
  type DeliveryResult,
  TROUBLED_ENDPOINTS_MAX,
  type TroubledEndpoint,
  type WebhookBacklog,
  WebhookStore
} from "./WebhookStore.ts"
export {
  type DeliveriesRequest,
  ENDPOINTS_MAX,
  MAX_DELIVERIES_PAGE,
  type NewWebhook,
  OVERLAP_SECONDS_MAX,
  Webhooks,
  type WebhookWithSecret
} from "./Webhooks.ts"
export { webhookEvents } from "./webhookEvent.ts"
