import { openAsBlob } from "node:fs"
import { AwsV4Signer } from "aws4fetch"
import { Clock, Effect, Redacted } from "effect"
import type { HostFailure } from "../chains/evm/index.ts"
import { type HttpAnswer, httpHost, unexpectedStatus } from "../outbound/json-api/index.ts"
import { DocumentExists } from "./documentErrors.ts"
import type { DocumentStore, SealedFile } from "./documentStore.ts"
import { MAX_DOCUMENT_BYTES } from "./uploadPolicy.ts"

export interface S3Settings {
  /** Of the bucket, with a prefix of keys where one is wanted. */
  readonly url: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: Redacted.Redacted<string>
}

const TIMEOUT_MS = 120_000
/** A nonce and a tag are sealed with a document. */
const MOST_BYTES = MAX_DOCUMENT_BYTES + 1_024
const NOTHING_SHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

interface Request {
  readonly method: "DELETE" | "GET" | "HEAD" | "PUT"
  readonly key: string
  readonly file?: SealedFile
}

/**
 * Documents in a bucket of S3, or of a store that speaks its protocol. It must know conditional writes (`If-None-Match: *`),
 * by which a document is written once. https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html
 */
export const s3Store = ({ accessKeyId, region, secretAccessKey, url }: S3Settings): DocumentStore => {
  const host = httpHost({ title: "S3", url, timeoutMs: TIMEOUT_MS, maxBytes: MOST_BYTES })

  const signedHeaders = Effect.fnUntraced(function* ({ file, key, method }: Request) {
    const datetime = new Date(yield* Clock.currentTimeMillis).toISOString().replaceAll(/[:-]|\.\d{3}/gu, "")
    const signer = new AwsV4Signer({
      method,
      url: `${url.replace(/\/+$/u, "")}/${key}`,
      service: "s3",
      region,
      accessKeyId,
      secretAccessKey: Redacted.value(secretAccessKey),
      datetime,
      headers: {
        "x-amz-content-sha256": file?.sha256 ?? NOTHING_SHA256,
        ...(file === undefined ? {} : { "if-none-match": "*", "content-type": "application/octet-stream" })
      }
    })
    const { headers } = yield* Effect.promise(() => signer.sign())
    return Object.fromEntries(headers)
  })

  const exchange = Effect.fnUntraced(function* <A, E>(
    request: Request,
    read: (answer: HttpAnswer) => Effect.Effect<A, E | HostFailure>
  ) {
    const { file, key, method } = request
    const headers = yield* signedHeaders(request)
    const body = file === undefined ? {} : { body: yield* Effect.promise(() => openAsBlob(file.path)) }
    return yield* host.ask({ method, path: `/${key}`, headers, ...body }, read)
  })

  return {
    has: (key) =>
      exchange({ method: "HEAD", key }, (answer) =>
        [200, 404].includes(answer.status) ? Effect.succeed(answer.status === 200) : unexpectedStatus(answer)
      ),
    put: (key, file) =>
      exchange({ method: "PUT", key, file }, (answer): Effect.Effect<void, DocumentExists | HostFailure> => {
        if (answer.status === 412) return Effect.fail(new DocumentExists())
        return answer.status === 200 ? Effect.void : unexpectedStatus(answer)
      }),
    read: (key) =>
      exchange({ method: "GET", key }, (answer): Effect.Effect<Uint8Array | null, HostFailure> => {
        if (answer.status === 404) return Effect.succeed(null)
        return answer.status === 200 ? Effect.succeed(answer.bytes) : unexpectedStatus(answer)
      }),
    remove: (key) =>
      exchange({ method: "DELETE", key }, (answer) =>
        [200, 204, 404].includes(answer.status) ? Effect.void : unexpectedStatus(answer)
      )
  }
}
