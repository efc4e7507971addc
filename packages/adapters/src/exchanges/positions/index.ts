export * as UniswapLiquidityMarket from "./UniswapLiquidityMarket.ts"
