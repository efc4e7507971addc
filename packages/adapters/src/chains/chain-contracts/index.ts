export { type ChainContract, contractsOf } from "./contractsOf.ts"
export { type ContractState, missingFeatures, observeContracts } from "./observeContracts.ts"
