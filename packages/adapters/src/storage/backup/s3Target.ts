import { createHash } from "node:crypto"
import { Clock, Effect, Schedule, Stream } from "effect"
import { type S3Request, type S3Settings, s3Prefix, s3Request } from "../s3/index.ts"
import type { BackupTarget } from "./BackupTarget.ts"
import { BackupFailed, reasonOf } from "./errors.ts"
import { piecesOf } from "./pieces.ts"

/**
 * Size of a part. S3 accepts at most 10,000 parts per object, which is 312 GiB with this size. Each part except the
 * last must have at least 5 MiB.
 */
const PART_BYTES = 32 * 1_048_576
const TIMEOUT_MS = 300_000
const RETRIES = 2

type S3Response = { readonly response: Response; readonly text: string }

const tagOf = (name: string, xml: string): string | null =>
  new RegExp(`<${name}>([^<]*)</${name}>`, "u").exec(xml)?.[1] ?? null

const tagsOf = (name: string, xml: string): ReadonlyArray<string> =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, "gu"))].map((match) => match[1]!)

/** Decodes XML. `&` is the only character in these names that XML escapes. */
const unescapeXml = (text: string): string => text.replaceAll("&amp;", "&")

/**
 * Stores objects in a bucket of S3 or of a compatible store, by multipart uploads. An upload becomes an object only
 * when it is completed, so a failed backup is never listed.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html
 */
export const s3Target = (settings: S3Settings): BackupTarget => {
  const { host, pathname } = new URL(settings.url)
  const location = `${host}${decodeURIComponent(pathname)}`
  const backupFailure = (action: string, reason: string) =>
    new BackupFailed({
      reason: `Can't ${action} the bucket ${location}: ${reason}. Earlier backups are unchanged. Check BACKUP_TARGET and the BACKUP_S3_ settings, and run the command again.`
    })

  const send = (action: string, request: Omit<S3Request, "nowMs" | "signal">) =>
    Effect.gen(function* () {
      const nowMs = yield* Clock.currentTimeMillis
      const signal = AbortSignal.timeout(TIMEOUT_MS)
      return yield* Effect.tryPromise({
        try: async (): Promise<S3Response> => {
          const response = await s3Request(settings, { ...request, nowMs, signal })
          return { response, text: await response.text() }
        },
        catch: (thrown) => backupFailure(action, reasonOf(thrown))
      })
    }).pipe(
      // Retries are safe, because parts are numbered, and an upload is completed only once.
      Effect.flatMap((response) =>
        response.response.status >= 500
          ? Effect.fail(backupFailure(action, `status ${response.response.status}`))
          : Effect.succeed(response)
      ),
      Effect.retry({ times: RETRIES, schedule: Schedule.exponential("1 second") })
    )

  const runRequest = (action: string, request: Omit<S3Request, "nowMs" | "signal">) =>
    Effect.flatMap(send(action, request), (response) =>
      response.response.ok
        ? Effect.succeed(response)
        : Effect.fail(
            backupFailure(action, `${tagOf("Code", response.text) ?? "an error"} (status ${response.response.status})`)
          )
    )

  const objectExists = (key: string) =>
    Effect.flatMap(send("read", { method: "HEAD", key }), ({ response: { status } }) =>
      status === 200 || status === 404
        ? Effect.succeed(status === 200)
        : Effect.fail(backupFailure("read", `status ${status}`))
    )

  /**
   * Uploads an object. Aborts an upload that is not completed, because S3 would store and charge for its parts
   * indefinitely.
   */
  const uploadObject = <E>(key: string, content: Stream.Stream<Uint8Array, E>) =>
    Effect.gen(function* () {
      const { text } = yield* runRequest("write to", { method: "POST", key, query: { uploads: "" } })
      const uploadId =
        tagOf("UploadId", text) ?? (yield* backupFailure("write to", "it did not start a multipart upload"))
      const state = { isComplete: false }
      yield* Effect.addFinalizer(() =>
        state.isComplete ? Effect.void : Effect.ignore(send("write to", { method: "DELETE", key, query: { uploadId } }))
      )
      const etags: Array<string> = []
      yield* Stream.runForEach(piecesOf(content, PART_BYTES), (body) =>
        Effect.gen(function* () {
          const { response } = yield* runRequest("write to", {
            method: "PUT",
            key,
            query: { partNumber: String(etags.length + 1), uploadId },
            body,
            sha256: createHash("sha256").update(body).digest("hex")
          })
          etags.push(response.headers.get("etag") ?? "")
        })
      )
      const parts = etags.map((tag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${tag}</ETag></Part>`)
      const completionResponse = yield* runRequest("write to", {
        method: "POST",
        key,
        query: { uploadId },
        body: `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`
      })
      // S3 may respond with status 200 before the completion ends, and report a failure in the body.
      if (tagOf("ETag", completionResponse.text) === null)
        return yield* backupFailure(
          "write to",
          tagOf("Code", completionResponse.text) ?? "it did not complete the upload"
        )
      state.isComplete = true
      return true
    }).pipe(Effect.scoped)

  const listPage = (prefix: string, token: string | null) =>
    runRequest("list", {
      method: "GET",
      query: {
        "list-type": "2",
        prefix: s3Prefix(settings) + prefix,
        ...(token === null ? {} : { "continuation-token": token })
      }
    })

  return {
    location,
    write: (name, content) =>
      Effect.flatMap(objectExists(name), (exists) => (exists ? Effect.succeed(false) : uploadObject(name, content))),
    read: (name) =>
      Stream.unwrap(
        Effect.gen(function* () {
          const nowMs = yield* Clock.currentTimeMillis
          // Without a deadline, because a download takes as long as its size requires.
          const { signal } = new AbortController()
          const onError = (thrown: unknown) => backupFailure("read", reasonOf(thrown))
          const response = yield* Effect.tryPromise({
            try: () => s3Request(settings, { method: "GET", key: name, nowMs, signal }),
            catch: onError
          })
          if (!response.ok || response.body === null) return yield* backupFailure("read", `status ${response.status}`)
          const { body } = response
          return Stream.fromReadableStream({ evaluate: () => body, onError })
        })
      ),
    list: Effect.fnUntraced(function* (prefix) {
      const names: Array<string> = []
      let token: string | null = null
      do {
        const { text }: S3Response = yield* listPage(prefix, token)
        names.push(...tagsOf("Key", text).map((key) => unescapeXml(key).slice(s3Prefix(settings).length)))
        const nextToken = tagOf("NextContinuationToken", text)
        if (nextToken !== null && nextToken === token) return yield* backupFailure("list", "it repeats the same page")
        token = nextToken
      } while (token !== null)
      return names.toSorted()
    })
  }
}
