export { managerAbi } from "./abi.ts"
export * as UniswapLiquidityMarket from "./UniswapLiquidityMarket.ts"
