export {
  DetectedTransfer,
  type Evidence,
  type IncludedOperation,
  type NativeTokenTransfer,
  type Touch,
  WatchProgress
} from "./Activity.ts"
export { ActivityRecords } from "./ActivityRecords.ts"
export { type ActivityPolicy, ActivitySettings } from "./ActivitySettings.ts"
export {
  ActivityStore,
  type Backfill,
  type DetectedTransferState,
  type RecordedFlow,
  type StoredActivity,
  type StoredTransfer,
  type WatchedChain
} from "./ActivityStore.ts"
export { ActivityWatch } from "./ActivityWatch.ts"
export { layerArrivalObserver } from "./arrivalObserver.ts"
export { type ActivityRequest, type BlocksRead, ChainActivity, type NativeTokenSearch } from "./ChainActivity.ts"
export { foundTypes } from "./foundTransactions.ts"
export { layerHeldChains } from "./heldChains.ts"
export { lagOf, type WatchLag } from "./lag.ts"
export { isRecent, pastValues } from "./pastValues.ts"
export { activityTreatment } from "./taxTreatment.ts"
export { IDLE_MS, keepStep, RETRY_MS, watchCycle } from "./watchCycle.ts"
