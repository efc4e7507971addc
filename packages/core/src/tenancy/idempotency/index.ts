export { IDEMPOTENCY_HOURS, Idempotency, IdempotencyKeyReused, IdempotentRequestRunning } from "./Idempotency.ts"
export { type Admission, IdempotencyStore, type IdempotentRequest, type StoredResponse } from "./IdempotencyStore.ts"
