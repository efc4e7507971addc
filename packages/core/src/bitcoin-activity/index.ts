export { BitcoinActivityRecords } from "./BitcoinActivityRecords.ts"
export { BitcoinActivityStore, type SightedChange } from "./BitcoinActivityStore.ts"
export type { AddressLook, BitcoinSighted, BitcoinSighting, Outpoint } from "./BitcoinSighting.ts"
export { BitcoinWatch } from "./BitcoinWatch.ts"
