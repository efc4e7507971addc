export * as VeloraProvider from "./VeloraProvider.ts"
export { VELORA_URL, type VeloraOptions } from "./VeloraProvider.ts"
