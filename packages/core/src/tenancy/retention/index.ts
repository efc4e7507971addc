export { Month } from "./Month.ts"
export { Retention, type RetentionCounts } from "./Retention.ts"
export { type RetainedKind, RetentionPolicy } from "./RetentionPolicy.ts"
export { RetentionStore } from "./RetentionStore.ts"
