export { DataSubjects, type SubjectData } from "./DataSubjects.ts"
export { type ErasureRecord, ErasureRecords } from "./ErasureRecords.ts"
export type { Erasure } from "./erasures.ts"
export * from "./errors.ts"
