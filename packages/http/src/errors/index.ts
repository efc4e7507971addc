export { type ErrorBody, errorSchemas } from "./ErrorBody.ts"
export { statusOf, transportErrorIds, type WireErrorId } from "./statusOf.ts"
export { errorOfBody, errorOfQuery, toErrorBody } from "./toErrorBody.ts"
export { type Place, wirePath } from "./wirePath.ts"
