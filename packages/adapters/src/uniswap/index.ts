export * as PoolSwapProvider from "./PoolSwapProvider.ts"
export * as PoolTokenPrices from "./PoolTokenPrices.ts"
