export { type Artifact, linked } from "./Artifact.ts"
export type { Artifacts } from "./artifactCache.ts"
export { loadArtifacts } from "./ContractArtifacts.ts"
