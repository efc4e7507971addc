export { BadRequest, RequestProblem } from "./BadRequest.ts"
export { documentedErrorIds, type ErrorId, ownErrorIds } from "./ErrorId.ts"
export { UpstreamUnavailable } from "./UpstreamUnavailable.ts"
