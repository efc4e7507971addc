export * as NodeEntropy from "./NodeEntropy.ts"
