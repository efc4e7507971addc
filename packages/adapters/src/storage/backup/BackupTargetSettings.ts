import type { S3Settings } from "../s3/index.ts"

export type BackupTargetSettings =
  | { readonly _tag: "Folder"; readonly folder: string }
  | ({ readonly _tag: "S3" } & S3Settings)
