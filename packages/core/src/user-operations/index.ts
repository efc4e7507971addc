export { AccountOperations, type Deployment } from "./AccountOperations.ts"
export { Bundler, type OperationOutcome, OperationRejected } from "./Bundler.ts"
export { Call, erc20Approve, transfer } from "./Call.ts"
export { type AccountState, type AccountStateRequest, type BlockAt, ChainReader } from "./ChainReader.ts"
export {
  AuthorizationStale,
  InvalidSignature,
  QuoteStale,
  UserOperationExpired,
  UserOperationNotFound
} from "./errors.ts"
export { Finality, type FinalityPolicy } from "./finality.ts"
export { inclusionEstimateMs } from "./followPolicy.ts"
export { gasFeeInTokenRoundingUp, maxGasFeeWei, totalGasLimit } from "./gasFee.ts"
export { type Inclusion, OperationRecord, Submission } from "./OperationRecord.ts"
export { GasTokenNotAccepted, Paymaster, type PaymasterTerms } from "./Paymaster.ts"
export { type GasLimits, type Simulation, TokenTransfer } from "./Simulation.ts"
export { PaymasterFields, RevertReason, UserOperation } from "./UserOperation.ts"
export {
  type BuiltOperation,
  type GasFee,
  INCLUSION_GRACE_SECONDS,
  type OpenRequest,
  type OperationContext,
  UserOperationBuilder
} from "./UserOperationBuilder.ts"
export {
  type Claim,
  type Claimed,
  type Followed,
  type FollowedOperations,
  UserOperationStore
} from "./UserOperationStore.ts"
export { type ExecuteError, type ExecuteRequest, FollowLease, UserOperations } from "./UserOperations.ts"
