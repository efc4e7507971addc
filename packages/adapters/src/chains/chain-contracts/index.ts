export { type ChainContract, contractsOf } from "./contractsOf.ts"
export { type ContractState, lackOf, observeContracts } from "./observeContracts.ts"
