export { makeBlindPay } from "./blindpay/BlindPayProvider.ts"
export type { BlindPaySettings } from "./blindpay/blindPayApi.ts"
export * as EvmTokenTransfers from "./EvmTokenTransfers.ts"
