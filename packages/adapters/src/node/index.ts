export * as MovedClock from "./MovedClock.ts"
export * as NodeEntropy from "./NodeEntropy.ts"
