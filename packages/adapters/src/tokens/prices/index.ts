export * as ChainTokenPrices from "./ChainTokenPrices.ts"
