export type { WebhookSenderOptions } from "./HttpWebhookSender.ts"
export * as HttpWebhookSender from "./HttpWebhookSender.ts"
export { type ReceivedHeaders, verificationProblem } from "./standardWebhooks.ts"
