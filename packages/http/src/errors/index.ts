export { type ErrorBody, errorSchemas } from "./ErrorBody.ts"
export { statusOf, transportErrorIds, type WireErrorId } from "./statusOf.ts"
export { errorOf, errorOfBody, errorOfQuery, toErrorBody } from "./toErrorBody.ts"
export type { Place } from "./wirePath.ts"
