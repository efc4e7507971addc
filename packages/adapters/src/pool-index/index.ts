export { layerPools } from "./layerPools.ts"
export * as OnChainPoolMarket from "./OnChainPoolMarket.ts"
export * as ViemPoolEvents from "./ViemPoolEvents.ts"
