export type { WebhookSenderOptions } from "./HttpWebhookSender.ts"
export * as HttpWebhookSender from "./HttpWebhookSender.ts"
export { type ReceivedHeaders, signedHeaders, verificationProblem } from "./standardWebhooks.ts"
