import {
  type DocumentExists,
  DocumentFiles,
  MAX_DOCUMENT_BYTES,
  UPLOAD_PATH,
  UploadRefused
} from "@countersign/adapters/identity"
import type { UpstreamUnavailable } from "@countersign/core/errors"
import { ByteSize, Effect, Layer, Stream } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerRequest, HttpServerResponse, Multipart } from "effect/http"
import { errorResponse } from "./fallbackErrors.ts"
import { requestInfo } from "./RequestInfo.ts"

/** Of the whole body: the file, and the fields and headers around it. */
const MOST_BYTES = MAX_DOCUMENT_BYTES + 262_144
const MOST_PARTS = 16
const MOST_FIELD_BYTES = 16_384
const FILE = "file"

const refused = (reason: string) => new UploadRefused({ reason })

/** A file beside its place. */
interface Received {
  readonly commit: Effect.Effect<void, DocumentExists | UploadRefused | UpstreamUnavailable>
}

/** Fields first, so that nothing of a file is read before it is known who may send it. */
const upload = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const files = yield* DocumentFiles
  const fields = new Map<string, string>()
  const state: { received: Received | null } = { received: null }
  yield* Stream.runForEach(request.multipartStream, (part) =>
    Effect.gen(function* () {
      if (state.received !== null) return yield* refused("there is something after the file")
      if (Multipart.isField(part)) {
        if (fields.has(part.key)) return yield* refused(`the field ${part.key} comes twice`)
        fields.set(part.key, part.value)
      } else if (Multipart.isFile(part)) {
        if (part.key !== FILE) return yield* refused(`the file comes in another field than \`${FILE}\``)
        state.received = yield* files.receive(yield* files.policyOf(fields), part.contentType, part.content)
      }
    })
  )
  if (state.received === null) return yield* refused("there is no file")
  yield* state.received.commit
  return HttpServerResponse.empty({ status: 204 })
}).pipe(
  Effect.scoped,
  Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(MOST_BYTES)),
  Effect.provideService(Multipart.MaxParts, MOST_PARTS),
  Effect.provideService(Multipart.MaxFieldSize, ByteSize.bytes(MOST_FIELD_BYTES)),
  Effect.catch((error) =>
    Effect.sync(() => {
      const info = requestInfo()
      if (error._tag === "MultipartError")
        return errorResponse("UPLOAD_REFUSED", "The body is no complete multipart/form-data.", info.traceId)
      if (error._tag === "OVERLOADED") info.retryAfterSeconds = error.retryAfterSeconds
      return errorResponse(error._tag, error.message, info.traceId)
    })
  )
)

/** Takes documents of verifications, from anybody who has a descriptor. */
export const layerUploads = Layer.effectDiscard(
  Effect.gen(function* () {
    const router = yield* HttpRouter.HttpRouter
    const files = yield* DocumentFiles
    yield* router.add("POST", UPLOAD_PATH, Effect.provideService(upload, DocumentFiles, files))
  })
)
