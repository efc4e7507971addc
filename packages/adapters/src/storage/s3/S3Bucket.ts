import { AwsV4Signer } from "aws4fetch"
import { Redacted } from "effect"

export interface S3Settings {
  /** Of the bucket, with a prefix of keys where one is wanted. */
  readonly url: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: Redacted.Redacted<string>
}

export interface S3Request {
  readonly method: "DELETE" | "GET" | "HEAD" | "POST" | "PUT"
  /** Below the prefix; absent for a request about the bucket itself. */
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Blob | Uint8Array<ArrayBuffer> | string
  /** Of the body, in hex. Without it the body is not signed, which TLS makes up for. */
  readonly sha256?: string
  readonly nowMs: number
  readonly signal: AbortSignal
}

export const EMPTY_SHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

/** The bucket without the prefix of its keys, and that prefix. By path: the first part of the path is the bucket. */
const placeOf = (url: string) => {
  const { origin, pathname } = new URL(url)
  const [bucket = "", ...prefix] = pathname.split("/").filter((part) => part !== "")
  return { bucket: `${origin}/${bucket}`, prefix: prefix.map((part) => `${decodeURIComponent(part)}/`).join("") }
}

/** The prefix of every key, which lists of the bucket show. */
export const s3Prefix = ({ url }: S3Settings): string => placeOf(url).prefix

/** Sends a request with Signature Version 4. The response may be of any status. */
export const s3Request = async (
  { accessKeyId, region, secretAccessKey, url }: S3Settings,
  { body, headers, key, method, nowMs, query = {}, sha256, signal }: S3Request
): Promise<Response> => {
  const target = new URL(key === undefined ? placeOf(url).bucket : `${url.replace(/\/$/u, "")}/${key}`)
  for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value)
  const signed = await new AwsV4Signer({
    method,
    url: target.href,
    service: "s3",
    region,
    accessKeyId,
    secretAccessKey: Redacted.value(secretAccessKey),
    datetime: new Date(nowMs).toISOString().replaceAll(/[:-]|\.\d{3}/gu, ""),
    headers: { "x-amz-content-sha256": sha256 ?? (body === undefined ? EMPTY_SHA256 : "UNSIGNED-PAYLOAD"), ...headers }
  }).sign()
  return fetch(signed.url, {
    method,
    headers: signed.headers,
    redirect: "error",
    signal,
    ...(body === undefined ? {} : { body })
  })
}
