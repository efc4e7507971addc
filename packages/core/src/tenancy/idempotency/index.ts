export { IDEMPOTENCY_HOURS, Idempotency, IdempotencyKeyReused, IdempotentRequestRunning } from "./Idempotency.ts"
export { type Admission, IdempotencyStore, type IdempotentRequest, type StoredAnswer } from "./IdempotencyStore.ts"
