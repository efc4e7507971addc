export { AccountInspector } from "./AccountInspector.ts"
export { AccountOperations, type Deployment } from "./AccountOperations.ts"
export { arrivalsAt, sumOfArrivals } from "./arrivals.ts"
export { Bundler, type OperationOutcome, OperationRejected, type SignedBy } from "./Bundler.ts"
export { approveCall, Call, transferCall } from "./Call.ts"
export {
  type AccountState,
  type AccountStateRequest,
  type BlockAt,
  type ChainHead,
  ChainReader
} from "./ChainReader.ts"
export {
  AccountChanged,
  AuthorizationStale,
  QuoteStale,
  UserOperationExpired,
  UserOperationNotFound
} from "./errors.ts"
export { type FirstUse, FirstUseOfGasToken } from "./FirstUseOfGasToken.ts"
export { inclusionEstimateMs, inclusionGraceSeconds } from "./inclusionEstimate.ts"
export { GasTokenNotAccepted, Paymaster, type PaymasterCommitment, type PaymasterTerms } from "./Paymaster.ts"
export { provisionalLimits } from "./provisionalLimits.ts"
export {
  type AccountChanges,
  type AllowanceChange,
  type GasLimits,
  type MintedNft,
  type Simulation,
  type StateChanges,
  TokenTransfer
} from "./Simulation.ts"
export { PaymasterFields, RevertReason, statedReason, UserOperation } from "./UserOperation.ts"
export {
  type BuildRequest,
  type BuiltOperation,
  type GasTerms,
  type OpenRequest,
  type OperationContext,
  type OperationGas,
  type SignableOperation,
  UserOperationBuilder
} from "./UserOperationBuilder.ts"
