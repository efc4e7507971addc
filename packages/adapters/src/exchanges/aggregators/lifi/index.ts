export * as LiFiProvider from "./LiFiProvider.ts"
export { LIFI_URL, type LiFiContext, type LiFiOptions } from "./LiFiProvider.ts"
