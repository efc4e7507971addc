export * as OperationFollower from "./OperationFollower.ts"
export * as WebhookDeliverer from "./WebhookDeliverer.ts"
