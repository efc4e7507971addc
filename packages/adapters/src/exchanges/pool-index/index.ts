export { layerPools } from "./layerPools.ts"
export * as OnChainPoolMarket from "./OnChainPoolMarket.ts"
export * as ViemPoolEvents from "./ViemPoolEvents.ts"
export * as ViemPositionHistory from "./ViemPositionHistory.ts"
