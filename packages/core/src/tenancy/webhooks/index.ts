export { WebhookDeliveries } from "./delivering/WebhookDeliveries.ts"
export {
  type ClaimedDelivery,
  type DeliveryClaim,
  type DeliveryResult,
  WebhookDeliveryQueue
} from "./delivering/WebhookDeliveryQueue.ts"
export {
  NoWebhookResponse,
  type UrlProblem,
  type WebhookMessage,
  type WebhookResponse,
  WebhookSender
} from "./delivering/WebhookSender.ts"
export { webhookBody } from "./delivering/webhookBody.ts"
export { WebhookDeliveryNotFound, WebhookDisabled, WebhookNotFound } from "./errors.ts"
export {
  TROUBLED_ENDPOINTS_MAX,
  type TroubledEndpoint,
  type WebhookBacklog,
  WebhookBacklogReader
} from "./WebhookBacklogReader.ts"
export { ATTEMPT_LOG_MAX, WebhookAttempt, WebhookDelivery, WebhookDeliveryStatus } from "./WebhookDelivery.ts"
export { type DeliveryPage, WebhookDeliveryStore } from "./WebhookDeliveryStore.ts"
export { WebhookEndpoint, WebhookSecret } from "./WebhookEndpoint.ts"
export { WebhookEndpointStore } from "./WebhookEndpointStore.ts"
export { MAX_DELIVERIES_PAGE, NewWebhook, OVERLAP_SECONDS_MAX } from "./WebhookRequests.ts"
export { Webhooks, type WebhookWithSecret } from "./Webhooks.ts"
export { webhookEvents } from "./webhookEvent.ts"
