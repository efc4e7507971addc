export * as PoolTokenPrices from "./PoolTokenPrices.ts"
export * as UniswapV3SwapProvider from "./UniswapV3SwapProvider.ts"
