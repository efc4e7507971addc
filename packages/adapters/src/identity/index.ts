export { documentsFolder } from "./documentsFolder.ts"
export * as FileDocuments from "./FileDocuments.ts"
export {
  DocumentExists,
  DocumentFiles,
  DocumentTooLarge,
  DocumentTypeRefused,
  UPLOAD_PATH,
  type UploadFailure,
  UploadRefused
} from "./FileDocuments.ts"
export { makeSumsub } from "./sumsub/SumsubProvider.ts"
export type { SumsubSettings } from "./sumsub/sumsubApi.ts"
export { DOCUMENT_TYPES, MAX_DOCUMENT_BYTES } from "./uploadPolicy.ts"
