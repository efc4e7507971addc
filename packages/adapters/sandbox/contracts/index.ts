export { type Artifact, linkLibraries as linked } from "./Artifact.ts"
export type { Artifacts } from "./artifactCache.ts"
export { loadArtifacts } from "./ContractArtifacts.ts"
