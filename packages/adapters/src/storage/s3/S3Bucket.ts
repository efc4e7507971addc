import { AwsV4Signer } from "aws4fetch"
import { Redacted } from "effect"

export interface S3Settings {
  /** URL of the bucket, with an optional key prefix. */
  readonly url: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: Redacted.Redacted<string>
}

export interface SignedS3Request {
  readonly method: "DELETE" | "GET" | "HEAD" | "POST" | "PUT"
  /** Key below the prefix; absent for a request to the bucket itself. */
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** SHA-256 hash of the body in hexadecimal; absent if the request has no body. */
  readonly sha256?: string
  readonly nowMs: number
}

export interface S3Request extends SignedS3Request {
  /** If `sha256` is absent, the body is not signed, and only TLS protects it. */
  readonly body?: Blob | Uint8Array<ArrayBuffer> | string
  readonly signal: AbortSignal
}

export const EMPTY_SHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

/**
 * Returns the URL of the bucket and the prefix of its keys. In a path-style URL the first path segment is the bucket.
 */
const bucketLocation = (url: string) => {
  const { origin, pathname } = new URL(url)
  const [bucket = "", ...prefix] = pathname.split("/").filter((part) => part !== "")
  return { bucket: `${origin}/${bucket}`, prefix: prefix.map((part) => `${decodeURIComponent(part)}/`).join("") }
}

/** Returns the prefix of all keys, as it appears in listings of the bucket. */
export const s3Prefix = ({ url }: S3Settings): string => bucketLocation(url).prefix

/** Builds the URL and the headers of a request signed with Signature Version 4. */
export const signedS3Request = async (
  { accessKeyId, region, secretAccessKey, url }: S3Settings,
  { headers, key, method, nowMs, query = {}, sha256 }: SignedS3Request
): Promise<{ readonly url: string; readonly headers: Readonly<Record<string, string>> }> => {
  const target = new URL(key === undefined ? bucketLocation(url).bucket : `${url.replace(/\/$/u, "")}/${key}`)
  for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value)
  const signedRequest = await new AwsV4Signer({
    method,
    url: target.href,
    service: "s3",
    region,
    accessKeyId,
    secretAccessKey: Redacted.value(secretAccessKey),
    datetime: new Date(nowMs).toISOString().replaceAll(/[:-]|\.\d{3}/gu, ""),
    headers: { "x-amz-content-sha256": sha256 ?? EMPTY_SHA256, ...headers }
  }).sign()
  return { url: signedRequest.url.href, headers: Object.fromEntries(signedRequest.headers) }
}

/** Sends a request. The response may have any status. */
export const s3Request = async (settings: S3Settings, { body, signal, ...request }: S3Request): Promise<Response> => {
  const payloadFields = body === undefined ? {} : { sha256: "UNSIGNED-PAYLOAD" }
  const { headers, url } = await signedS3Request(settings, { ...payloadFields, ...request })
  return fetch(url, {
    method: request.method,
    headers,
    redirect: "error",
    signal,
    ...(body === undefined ? {} : { body })
  })
}
