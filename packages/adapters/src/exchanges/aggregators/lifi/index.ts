export * as LiFiProvider from "./LiFiProvider.ts"
export { LIFI_URL, type LiFiOptions, type LiFiSurroundings } from "./LiFiProvider.ts"
