export { isCredible, type LaneAction, laneActions, nextNonce, POOLED_MAX, unclear } from "./laneActions.ts"
export type { ChainView, Sighting, Sightings } from "./laneView.ts"
export { OperatorLanes } from "./OperatorLanes.ts"
export {
  type GasFees,
  isLive,
  type Lane,
  type OperatorTransaction,
  type OperatorTransactionState
} from "./OperatorTransaction.ts"
export {
  type BundleTransaction,
  type LaneClaim,
  type LaneRole,
  type LaneUsage,
  OperatorTransactionStore,
  type WatchedLane
} from "./OperatorTransactionStore.ts"
