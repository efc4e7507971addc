import type { S3Settings } from "../storage/s3/index.ts"
import type { DocumentStore } from "./documentStore.ts"
import { folderStore } from "./folderStore.ts"
import { s3Store } from "./s3Store.ts"

/** Returns the store of the documents: the bucket if one is configured, otherwise the folder. */
export const documentStoreOf = (folder: string, bucket: S3Settings | undefined): DocumentStore =>
  bucket === undefined ? folderStore(folder) : s3Store(bucket)
