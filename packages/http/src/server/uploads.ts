import type { IncomingMessage } from "node:http"
import {
  type DocumentExists,
  DocumentFiles,
  MAX_DOCUMENT_BYTES,
  UPLOAD_PATH,
  UploadRefused
} from "@countersign/adapters/identity"
import type { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { Documents } from "@countersign/core/identity"
import { toIncomingMessage } from "@effect/platform-node/NodeHttpServerRequest"
import { ByteSize, Effect, Layer, Stream } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerRequest, HttpServerResponse, Multipart } from "effect/http"
import { limitBodyRate, uploadRate } from "./bodyRate.ts"
import { errorResponse, overloadedResponse } from "./fallbackErrors.ts"
import { requestInfo } from "./RequestInfo.ts"
import { RequestSlots } from "./RequestSlots.ts"

/** Maximum size of the request body: the file, and the multipart fields and headers around it. */
const MAX_BYTES = MAX_DOCUMENT_BYTES + 262_144
const MAX_PARTS = 16
const MAX_FIELD_BYTES = 16_384
const FILE = "file"

const refusal = (reason: string) => new UploadRefused({ reason })

/** A completely received file, which `commit` stores. */
interface ReceivedUpload {
  readonly commit: Effect.Effect<void, DocumentExists | UploadRefused | UpstreamUnavailable>
}

/** Error message if no upload slot is free for the project. */
const TOO_MANY_UPLOADS = "This project has reached its maximum number of concurrent uploads. Try again in a second."

/**
 * Moves the upload from the slots of requests without a key to the upload slots of its project. From then on its
 * timeout depends on its size.
 */
const admitUploadOf = (projectId: string) =>
  Effect.gen(function* () {
    const info = requestInfo()
    const slot = (yield* RequestSlots).uploads.take(projectId)
    if (typeof slot === "string") return yield* Effect.fail(overloadedResponse(TOO_MANY_UPLOADS, info))
    info.slot?.release()
    info.slot = slot
    const message = toIncomingMessage(yield* HttpServerRequest.HttpServerRequest) as IncomingMessage
    limitBodyRate(message, uploadRate(MAX_BYTES))
  })

/**
 * Receives one file. The policy fields must precede it, so that the service verifies the policy before it reads the
 * file.
 */
const upload = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const files = yield* DocumentFiles
  const fields = new Map<string, string>()
  const state: { received: ReceivedUpload | null } = { received: null }
  yield* Stream.runForEach(request.multipartStream, (part) =>
    Effect.gen(function* () {
      if (state.received !== null) return yield* refusal("the body contains data after the file")
      if (Multipart.isField(part)) {
        if (fields.has(part.key)) return yield* refusal(`the field ${part.key} is repeated`)
        fields.set(part.key, part.value)
      } else if (Multipart.isFile(part)) {
        if (part.key !== FILE) return yield* refusal(`the file must be in the field \`${FILE}\``)
        const policy = yield* files.policyOf(fields)
        yield* admitUploadOf(policy.projectId)
        state.received = yield* files.receive(policy, part.contentType, part.content)
      }
    })
  )
  if (state.received === null) return yield* refusal("the body contains no file")
  yield* state.received.commit
  return HttpServerResponse.empty({ status: 204 })
}).pipe(
  Effect.scoped,
  Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(MAX_BYTES)),
  Effect.provideService(Multipart.MaxParts, MAX_PARTS),
  Effect.provideService(Multipart.MaxFieldSize, ByteSize.bytes(MAX_FIELD_BYTES)),
  Effect.catch((error) =>
    Effect.sync(() => {
      const info = requestInfo()
      if (HttpServerResponse.isHttpServerResponse(error)) return error
      if (error._tag === "MultipartError")
        return errorResponse(
          "UPLOAD_REFUSED",
          "The body is not valid multipart/form-data, or is incomplete.",
          info.traceId
        )
      if (error._tag === "OVERLOADED") info.retryAfterSeconds = error.retryAfterSeconds
      return errorResponse(error._tag, error.message, info.traceId)
    })
  )
)

/**
 * Receives identity documents that clients upload with an upload descriptor. The route exists only if document storage
 * is configured.
 */
export const layerUploads = Layer.effectDiscard(
  Effect.gen(function* () {
    const { problem } = yield* Documents
    if (problem !== null) return
    const router = yield* HttpRouter.HttpRouter
    const files = yield* DocumentFiles
    const slots = yield* RequestSlots
    yield* router.add(
      "POST",
      UPLOAD_PATH,
      upload.pipe(Effect.provideService(DocumentFiles, files), Effect.provideService(RequestSlots, slots))
    )
  })
)
