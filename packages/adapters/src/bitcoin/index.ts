export * as BitcoinjsProofs from "./BitcoinjsProofs.ts"
