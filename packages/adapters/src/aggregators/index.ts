export type { AggregatorSettings } from "./aggregatorSettings.ts"
export { swapProvidersOf } from "./aggregatorSettings.ts"
export { kyberSwapRouterAbi } from "./kyberswap/abi.ts"
export { readKyberSwapCall } from "./kyberswap/readKyberSwapCall.ts"
