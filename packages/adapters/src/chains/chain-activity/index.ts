export { type ChainActivitySettings, layerChainActivity } from "./layerChainActivity.ts"
export * as ViemChainActivity from "./ViemChainActivity.ts"
