export {
  DocumentExists,
  DocumentTooLarge,
  DocumentTypeRefused,
  type UploadFailure,
  UploadRefused
} from "./documentErrors.ts"
export type { DocumentStore } from "./documentStore.ts"
export { documentStoreOf } from "./documentStoreOf.ts"
export { documentsFolder } from "./documentsFolder.ts"
export * as SealedDocuments from "./SealedDocuments.ts"
export { DocumentFiles, UPLOAD_PATH } from "./SealedDocuments.ts"
export { makeSumsub } from "./sumsub/SumsubProvider.ts"
export type { SumsubSettings } from "./sumsub/sumsubApi.ts"
export { contentTypeOf, DOCUMENT_TYPES, MAX_DOCUMENT_BYTES } from "./uploadPolicy.ts"
