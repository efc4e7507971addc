export { DataSubjects, type Erasure, type HeldData } from "./DataSubjects.ts"
export { type ErasureRecord, ErasureRecords } from "./ErasureRecords.ts"
export * from "./errors.ts"
