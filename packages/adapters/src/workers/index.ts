export { layerWorkers } from "./layerWorkers.ts"
export * as OperationFollower from "./OperationFollower.ts"
export * as RetentionPruner from "./RetentionPruner.ts"
export * as WebhookDeliverer from "./WebhookDeliverer.ts"
