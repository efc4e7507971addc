export { type LaneAction, laneActions, nextNonce, unclear } from "./laneActions.ts"
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
  type Carrier,
  type LaneClaim,
  type LaneOutlook,
  type LaneRole,
  OperatorTransactionStore,
  type WatchedLane
} from "./OperatorTransactionStore.ts"
