export { layerBitcoinArrivalObserver } from "./arrivalObserver.ts"
export { BitcoinActivityRecords } from "./BitcoinActivityRecords.ts"
export { BitcoinActivityStore, type StoredTransferChange } from "./BitcoinActivityStore.ts"
export { BitcoinWatch } from "./BitcoinWatch.ts"
export type {
  AddressPoll,
  DetectedBitcoinTransfer,
  Outpoint,
  StoredBitcoinTransfer
} from "./DetectedBitcoinTransfer.ts"
