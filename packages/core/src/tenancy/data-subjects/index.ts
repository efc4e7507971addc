export { DataSubjects, type HeldData } from "./DataSubjects.ts"
export type { Erasure } from "./erasures.ts"
export * from "./errors.ts"
