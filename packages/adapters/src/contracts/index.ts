export { type Artifact, linkedBytecode } from "./Artifact.ts"
export type { Artifacts } from "./artifactCache.ts"
export type { ArtifactName } from "./artifactManifest.ts"
export { ContractArtifactsUnavailable, loadArtifact, loadArtifacts } from "./ContractArtifacts.ts"
