export { delayForAgeMs, growingWaitMs } from "./growingWait.ts"
export { type WorkClaim, WorkClaims } from "./WorkClaims.ts"
export {
  type ProcessSignals,
  processSignals,
  type WorkKind,
  WorkSignals,
  type WorkSignalsOptions,
  workKinds
} from "./WorkSignals.ts"
