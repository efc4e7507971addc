export { ApiKey, apiKeyIdOrNone, apiKeyText, Scope, scopes } from "./ApiKey.ts"
export { ComputeUnitMeter } from "./ComputeUnitMeter.ts"
export { ComputeUnitsExhausted, InvalidApiKey, ProjectNotFound, ScopeMissing } from "./errors.ts"
export { Project, type ProjectChanges, ProjectId } from "./Project.ts"
export { ProjectStore } from "./ProjectStore.ts"
export { type Caller, hasScope, type NewKey, Projects } from "./Projects.ts"
export {
  type RateLimit,
  RateLimited,
  RateLimiter,
  RateLimitSettings,
  type RateLimitState,
  RateLimitStore
} from "./RateLimiter.ts"
