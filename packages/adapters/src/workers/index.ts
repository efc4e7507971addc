export * as ExecutionFollower from "./ExecutionFollower.ts"
export { layerWorkers } from "./layerWorkers.ts"
export * as RetentionPruner from "./RetentionPruner.ts"
export * as WebhookDeliverer from "./WebhookDeliverer.ts"
