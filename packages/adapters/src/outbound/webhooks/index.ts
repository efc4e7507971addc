export type { WebhookSenderOptions } from "./HttpWebhookSender.ts"
export * as HttpWebhookSender from "./HttpWebhookSender.ts"
export { isSameSignature, type ReceivedHeaders, signedHeaders, verificationProblem } from "./standardWebhooks.ts"
