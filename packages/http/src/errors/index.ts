export { bodyOf, type ErrorBody, errorSchemas, toBody } from "./ErrorBody.ts"
export { statusOf } from "./statusOf.ts"
