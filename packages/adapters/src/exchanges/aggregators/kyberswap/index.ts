export * as KyberSwapProvider from "./KyberSwapProvider.ts"
export { KYBERSWAP_URL, type KyberSwapOptions } from "./KyberSwapProvider.ts"
