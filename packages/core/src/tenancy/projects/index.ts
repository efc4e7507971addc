export { ApiKey, ProjectScope, Scope, scopes } from "./ApiKey.ts"
export {
  ApiKeyNotFound,
  InvalidApiKey,
  ProjectIsMoving,
  ProjectNameTaken,
  ProjectNotFound,
  ScopeMissing
} from "./errors.ts"
export { Project, type ProjectChanges, ProjectId, ProjectName } from "./Project.ts"
export { ProjectMove } from "./ProjectMove.ts"
export { type ProjectKey, ProjectStore } from "./ProjectStore.ts"
export { type Caller, CallerExpiry, hasScope, type NewKey, Projects } from "./Projects.ts"
