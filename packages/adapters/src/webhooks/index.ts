export type { WebhookSenderOptions } from "./HttpWebhookSender.ts"
export * as HttpWebhookSender from "./HttpWebhookSender.ts"
export { type ReceivedHeaders, signedHeaders, TOLERANCE_SECONDS, verificationProblem } from "./standardWebhooks.ts"
