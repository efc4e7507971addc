export { type Artifact, linkLibraries } from "./Artifact.ts"
export type { Artifacts } from "./artifactCache.ts"
export { loadArtifacts } from "./ContractArtifacts.ts"
