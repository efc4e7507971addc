export * as PoolSwapProvider from "./PoolSwapProvider.ts"
