export {
  DocumentExists,
  DocumentTooLarge,
  DocumentTypeRefused,
  type UploadFailure,
  UploadRefused
} from "./documentErrors.ts"
export { documentsFolder } from "./documentsFolder.ts"
export { folderStore } from "./folderStore.ts"
export * as SealedDocuments from "./SealedDocuments.ts"
export { DocumentFiles, UPLOAD_PATH } from "./SealedDocuments.ts"
export { type S3Settings, s3Store } from "./s3Store.ts"
export { makeSumsub } from "./sumsub/SumsubProvider.ts"
export type { SumsubSettings } from "./sumsub/sumsubApi.ts"
export { contentTypeOf, DOCUMENT_TYPES, MAX_DOCUMENT_BYTES } from "./uploadPolicy.ts"
