export { PoolReader } from "./PoolReader.ts"
export { poolKey } from "./poolAddress.ts"
export * as UniswapV3SwapProvider from "./UniswapV3SwapProvider.ts"
