export type { Node } from "./json.ts"
export { type Examples, openApiDocument, openApiDocumentWith } from "./openApiDocument.ts"
