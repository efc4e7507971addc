export * as AcrossSwapProvider from "./AcrossSwapProvider.ts"
export { spokePoolAbi } from "./abi.ts"
export { type Deposit, depositInLog, FUNDS_DEPOSITED, narrow, relayHashOf, wide } from "./deposits.ts"
export { type AcrossApiSettings, makeHttpAcrossFees } from "./HttpAcrossFees.ts"
