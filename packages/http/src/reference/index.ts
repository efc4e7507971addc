export type { Example, Examples } from "./examples.ts"
export type { Node } from "./json.ts"
export { openApiDocument, openApiDocumentWith } from "./openApiDocument.ts"
