export { dustLimit, scriptBytes } from "./dust.ts"
export { type CoinSelection, type Output, type PaymentTerms, selectCoins, spendAllCoins } from "./selectCoins.ts"
export { type FeeRate, feeRoundingUp, type SpendableKind, transactionWeight, virtualBytes } from "./weights.ts"
