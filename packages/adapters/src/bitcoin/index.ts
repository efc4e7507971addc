export * as BitcoinjsProofs from "./BitcoinjsProofs.ts"
export * as EsploraChain from "./EsploraChain.ts"
