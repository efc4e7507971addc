export * as HostClock from "./HostClock.ts"
export * as MovedClock from "./MovedClock.ts"
export * as NodeEntropy from "./NodeEntropy.ts"
export { requireNode } from "./requireNode.ts"
