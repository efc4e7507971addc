export * as BitcoinjsProofs from "./BitcoinjsProofs.ts"
export * as BitcoinjsTransactions from "./BitcoinjsTransactions.ts"
export * as CoreChain from "./CoreChain.ts"
export * as EsploraChain from "./EsploraChain.ts"
