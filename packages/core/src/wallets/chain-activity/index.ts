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
export {
  type ActivityRequest,
  type BlockRangeActivity,
  ChainActivity,
  type NativeTokenSearch
} from "./ChainActivity.ts"
export { externalTransferTypes } from "./foundTransactions.ts"
export { layerHeldChains } from "./heldChains.ts"
export { lagOf, type WatchLag } from "./lag.ts"
export { isRecent, pastValueReader } from "./pastValues.ts"
export { activityTreatment } from "./taxTreatment.ts"
export { IDLE_MS, makeStoreStep, makeWatchCycle, RETRY_MS } from "./watchCycle.ts"
