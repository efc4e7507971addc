export { Execution, ExecutionStage, stageOf } from "./Execution.ts"
export {
  type BalancesAt,
  type Claim,
  type ClaimedExecution,
  ExecutionStore,
  type FollowedExecution,
  type FollowedExecutions
} from "./ExecutionStore.ts"
export { type Acceptance, Executions, FollowLease, type Funds } from "./Executions.ts"
export { Following } from "./Following.ts"
export { Finality, type FinalityPolicy } from "./finality/Finality.ts"
export { FINALITY, finalityStage, reorganisations } from "./finality/FinalityStage.ts"
export { INCLUSION, inclusionStage, inclusionState } from "./inclusion/InclusionStage.ts"
export type { ExecuteRequest } from "./inclusion/ownerSignatures.ts"
export { type ExecuteError, type KnownOperation, UserOperations } from "./inclusion/UserOperations.ts"
export { Reservation, Spending } from "./reservation/Reservation.ts"
export { type Change, type Stage, Stages, type Step, type Work } from "./Stage.ts"
