export { ArrivalObserver, type RecordedTransfers } from "./ArrivalObserver.ts"
export {
  type AcceptanceError,
  Acceptances,
  type QuoteWithExecution
} from "./acceptance/Acceptances.ts"
export { QuoteExpired, QuoteNotFound } from "./acceptance/errors.ts"
export {
  type AcceptableIntent,
  type Candidate,
  type IntentKind,
  IntentKinds
} from "./acceptance/IntentKind.ts"
export { limitOrderKind } from "./acceptance/limitOrderKind.ts"
export { ownerSignatureProblem } from "./acceptance/ownerSignature.ts"
export {
  type ExecuteError,
  type ExecuteRequest,
  type OperationWithExecution,
  UserOperations
} from "./acceptance/UserOperations.ts"
export { userOperationKind } from "./acceptance/userOperationKind.ts"
export { adviceOnLate, delayReportOf, hasNoWorker, NO_WORKER } from "./attention.ts"
export { amountOf, arrivingTransfers, claimedArrivals, type IncomingTransfer } from "./claimedArrivals.ts"
export { Execution, ExecutionStage, StageWait, stageOf, WaitsFor } from "./Execution.ts"
export {
  type BalancesAt,
  type Claim,
  type ClaimedExecution,
  ExecutionStore,
  type PendingExecution,
  type PendingStage,
  type ReservedExecution,
  type WakeListener
} from "./ExecutionStore.ts"
export { type Acceptance, ExecutionLease, Executions, type Funds } from "./Executions.ts"
export { ExecutionWorker, NEW_ACCEPTANCE_MS } from "./ExecutionWorker.ts"
export { Finality, type FinalityPolicy } from "./finality/Finality.ts"
export { FINALITY, finalityStage, reorgFinder } from "./finality/FinalityStage.ts"
export { type Flow, flowsOf } from "./inclusion/flows.ts"
export { INCLUSION, inclusionStage, inclusionState } from "./inclusion/InclusionStage.ts"
export { canNoLongerExecute } from "./inclusion/inclusionPolicy.ts"
export { failureChange, type OutcomeReader, OutcomeReaders } from "./inclusion/outcomeChange.ts"
export { Reservation, Spending } from "./reservation/Reservation.ts"
export { type Change, type Stage, type StageDescription, Stages, type Step, type Work } from "./Stage.ts"
export { type Arrival, type ArrivalTransaction, withArrival } from "./withArrival.ts"
