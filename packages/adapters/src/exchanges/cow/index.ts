export { COW_API_URL } from "./CowApi.ts"
export * as CowOrderBook from "./CowOrderBook.ts"
export * as CowSwapProvider from "./CowSwapProvider.ts"
export { probeOrderBook } from "./probeOrderBook.ts"
