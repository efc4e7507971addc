export type { Node } from "./json.ts"
export { openApiDocument } from "./openApiDocument.ts"
