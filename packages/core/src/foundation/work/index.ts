export { growingWaitMs, waitSinceMs } from "./growingWait.ts"
export { type WorkClaim, WorkClaims } from "./WorkClaims.ts"
