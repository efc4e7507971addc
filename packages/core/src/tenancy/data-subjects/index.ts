export { DataSubjects, type Erasure, type HeldData } from "./DataSubjects.ts"
export * from "./errors.ts"
