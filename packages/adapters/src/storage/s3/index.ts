export { EMPTY_SHA256, type S3Request, type S3Settings, s3Prefix, s3Request, signedS3Request } from "./S3Bucket.ts"
