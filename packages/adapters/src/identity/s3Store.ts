import { openAsBlob } from "node:fs"
import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { Clock, Effect } from "effect"
import { type S3Settings, s3Request } from "../storage/s3/index.ts"
import { DocumentExists } from "./documentErrors.ts"
import type { DocumentStore, SealedFile } from "./documentStore.ts"
import { MAX_DOCUMENT_BYTES } from "./uploadPolicy.ts"

const TITLE = "S3"
const TIMEOUT_MS = 120_000
/** A nonce and a tag are sealed with a document. */
const MOST_BYTES = MAX_DOCUMENT_BYTES + 1_024

const unavailable = (reason: string) => new UpstreamUnavailable({ upstream: TITLE, reason })

interface Request {
  readonly method: "DELETE" | "GET" | "HEAD" | "PUT"
  readonly key: string
  readonly file?: SealedFile
}

/**
 * Documents in a bucket of S3, or of a store that speaks its protocol. It must know conditional writes (`If-None-Match: *`),
 * by which a document is written once. https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html
 */
export const s3Store = (settings: S3Settings): DocumentStore => {
  const exchange = ({ file, key, method }: Request) =>
    Effect.gen(function* () {
      const nowMs = yield* Clock.currentTimeMillis
      const answer = yield* Effect.tryPromise({
        try: async (signal) => {
          const content =
            file === undefined
              ? {}
              : {
                  body: await openAsBlob(file.path),
                  sha256: file.sha256,
                  headers: { "if-none-match": "*", "content-type": "application/octet-stream" }
                }
          const response = await s3Request(settings, { method, key, nowMs, signal, ...content })
          const isLong = Number(response.headers.get("content-length") ?? 0) > MOST_BYTES
          if (isLong) await response.body?.cancel()
          const bytes = isLong ? null : new Uint8Array(await response.arrayBuffer())
          return { status: response.status, bytes }
        },
        // What is thrown may name the host and the key; the kind of failure is enough.
        catch: (thrown) => unavailable(String(Object(Object(thrown).cause).code ?? "no answer"))
      }).pipe(
        Effect.timeoutOrElse({
          duration: TIMEOUT_MS,
          orElse: () => Effect.fail(unavailable(`no answer within ${TIMEOUT_MS} ms`))
        })
      )
      return answer
    })

  const unexpected = (status: number) => unavailable(`status ${status}`)

  return {
    has: (key) =>
      Effect.flatMap(exchange({ method: "HEAD", key }), ({ status }) =>
        status === 200 || status === 404 ? Effect.succeed(status === 200) : Effect.fail(unexpected(status))
      ),
    put: (key, file) =>
      Effect.gen(function* () {
        const { status } = yield* exchange({ method: "PUT", key, file })
        if (status === 412) return yield* new DocumentExists()
        if (status !== 200) return yield* unexpected(status)
      }),
    read: (key) =>
      Effect.gen(function* () {
        const { bytes, status } = yield* exchange({ method: "GET", key })
        if (status === 404) return null
        return status === 200 && bytes !== null ? bytes : yield* unexpected(status)
      }),
    remove: (key) =>
      Effect.flatMap(exchange({ method: "DELETE", key }), ({ status }) =>
        [200, 204, 404].includes(status) ? Effect.void : Effect.fail(unexpected(status))
      )
  }
}
