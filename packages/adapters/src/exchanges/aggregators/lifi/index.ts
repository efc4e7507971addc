export * as LiFiProvider from "./LiFiProvider.ts"
export { LIFI_URL, type LiFiOptions, type LiFiContext } from "./LiFiProvider.ts"
