import { openAsBlob } from "node:fs"
import { Clock, Effect } from "effect"
import { type HostFailure, type HttpResponse, httpHost, unexpectedStatus } from "../outbound/json-api/index.ts"
import { type S3Settings, signedS3Request } from "../storage/s3/index.ts"
import { DocumentExists } from "./documentErrors.ts"
import type { DocumentStore, SealedFile } from "./documentStore.ts"
import { MAX_DOCUMENT_BYTES } from "./uploadPolicy.ts"

const TIMEOUT_MS = 120_000
/** Maximum size of an encrypted document in bytes: the document with its nonce and tag. */
const MAX_BYTES = MAX_DOCUMENT_BYTES + 1_024

interface Request {
  readonly method: "DELETE" | "GET" | "HEAD" | "PUT"
  readonly key: string
  readonly file?: SealedFile
}

/**
 * Stores documents in a bucket of S3 or of a compatible store. The store must support conditional writes
 * (`If-None-Match: *`), so that a document is written only once.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html
 */
export const s3Store = (settings: S3Settings): DocumentStore => {
  const host = httpHost({ title: "S3", url: settings.url, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES })

  const signedHeaders = Effect.fnUntraced(function* ({ file, key, method }: Request) {
    const nowMs = yield* Clock.currentTimeMillis
    const content =
      file === undefined
        ? {}
        : { sha256: file.sha256, headers: { "if-none-match": "*", "content-type": "application/octet-stream" } }
    const { headers } = yield* Effect.promise(() => signedS3Request(settings, { method, key, nowMs, ...content }))
    return headers
  })

  const exchange = Effect.fnUntraced(function* <A, E>(
    request: Request,
    read: (response: HttpResponse) => Effect.Effect<A, E | HostFailure>
  ) {
    const { file, key, method } = request
    const headers = yield* signedHeaders(request)
    const body = file === undefined ? {} : { body: yield* Effect.promise(() => openAsBlob(file.path)) }
    return yield* host.ask({ method, path: `/${key}`, headers, ...body }, read)
  })

  return {
    has: (key) =>
      exchange({ method: "HEAD", key }, (response) =>
        [200, 404].includes(response.status) ? Effect.succeed(response.status === 200) : unexpectedStatus(response)
      ),
    put: (key, file) =>
      exchange({ method: "PUT", key, file }, (response): Effect.Effect<void, DocumentExists | HostFailure> => {
        if (response.status === 412) return Effect.fail(new DocumentExists())
        return response.status === 200 ? Effect.void : unexpectedStatus(response)
      }),
    read: (key) =>
      exchange({ method: "GET", key }, (response): Effect.Effect<Uint8Array | null, HostFailure> => {
        if (response.status === 404) return Effect.succeed(null)
        return response.status === 200 ? Effect.succeed(response.bytes) : unexpectedStatus(response)
      }),
    remove: (key) =>
      exchange({ method: "DELETE", key }, (response) =>
        [200, 204, 404].includes(response.status) ? Effect.void : unexpectedStatus(response)
      )
  }
}
