export { type Preparation, preparationsOf } from "./preparations.ts"
export { type FailedContract, type PreparedContract, prepareChain } from "./prepareChain.ts"
