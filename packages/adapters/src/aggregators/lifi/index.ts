export * as LiFiProvider from "./LiFiProvider.ts"
export { LIFI_URL, type LiFiOptions } from "./LiFiProvider.ts"
