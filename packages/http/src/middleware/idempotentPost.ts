import { createHash } from "node:crypto"
import { BadRequest } from "@countersign/core/foundation/errors"
import { Idempotency, type StoredAnswer } from "@countersign/core/tenancy/idempotency"
import { type Caller, hasScope, ScopeMissing } from "@countersign/core/tenancy/projects"
import { Effect, Layer, Result, Schema, type Types } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { type ErrorBody, toErrorBody } from "../errors/index.ts"
import { requestInfo } from "../server/RequestInfo.ts"
import { unitsRequirement } from "./computeUnits.ts"
import { CurrentCaller, IdempotentPost, servedEndpointOf } from "./definitions.ts"

const acceptableKey = /^[\x21-\x7e]{1,255}$/u

/** Equal for equal requests. The length before each part makes the boundaries of the parts unambiguous. */
const fingerprintOf = (parts: ReadonlyArray<string>): string => {
  const hash = createHash("sha256")
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:${part}`)
  return hash.digest("hex")
}

/**
 * For the scope `admin`, the same request with another key is a different request, because a reviewer decides as the
 * holder of a key. Other requests may be repeated with a rotated key.
 */
const decider = ({ keyId }: Caller, endpoint: HttpApiEndpoint.Top): ReadonlyArray<string> =>
  servedEndpointOf(endpoint).scope === "admin" ? [keyId] : []

const decoder = new TextDecoder()

/** An error body from a handler, before it becomes a response. */
const Refusal = Schema.Struct({ statusCode: Schema.Int, id: Schema.String })
const isRefusal = Schema.is(Refusal)

/** The response to a request, from its handler or from the store. */
type ResponseResult = Result.Result<
  HttpServerResponse.HttpServerResponse,
  Types.unhandled | ErrorBody<"FORBIDDEN_SCOPE">
>

/**
 * Failures of the service are not stored. Rejections that a retry may not get are not stored either: a rate limit, a
 * scope that this key lacks, an exhausted budget.
 */
const isWorthKeeping = (status: number, id = ""): boolean =>
  status < 500 && status !== 429 && id !== "FORBIDDEN_SCOPE" && id !== "UNAVAILABLE_COMPUTE_UNITS"

/** A response as it was sent. */
const StoredResponse = Schema.Struct({ status: Schema.Int, contentType: Schema.String, body: Schema.String })
const ResponseText = Schema.fromJsonString(StoredResponse)
const encodeResponse = Schema.encodeSync(ResponseText)
const decodeResponse = Schema.decodeSync(ResponseText)

const answerToKeep = (answer: ResponseResult): typeof StoredResponse.Type | null => {
  if (Result.isFailure(answer)) {
    const { failure } = answer
    return isRefusal(failure) && isWorthKeeping(failure.statusCode, failure.id)
      ? { status: failure.statusCode, contentType: "application/json", body: JSON.stringify(failure) }
      : null
  }
  const { body, status } = answer.success
  if (!isWorthKeeping(status)) return null
  if (body._tag === "Empty") return { status, contentType: "", body: "" }
  return body._tag === "Uint8Array" ? { status, contentType: body.contentType, body: decoder.decode(body.body) } : null
}

const removeFields = (body: string, fields: ReadonlyArray<string>): string =>
  fields.length === 0
    ? body
    : JSON.stringify({ ...JSON.parse(body), ...Object.fromEntries(fields.map((field) => [field, null])) })

const storedResponse = (answer: ResponseResult): StoredAnswer | null => {
  const keptResponse = answerToKeep(answer)
  if (keptResponse === null) return null
  const { scope, shownOnce } = requestInfo()
  return { text: encodeResponse({ ...keptResponse, body: removeFields(keptResponse.body, shownOnce) }), scope }
}

/** The stored response. Only returned for a key that has the scope of the first request. */
const restoreResponse = ({ scope, text }: StoredAnswer, caller: Caller): ResponseResult => {
  if (scope !== null && !hasScope(caller, scope)) return Result.fail(toErrorBody(new ScopeMissing({ scope })))
  requestInfo().replayed = true
  const { body, contentType, status } = decodeResponse(text)
  return Result.succeed(
    contentType === "" ? HttpServerResponse.empty({ status }) : HttpServerResponse.text(body, { status, contentType })
  )
}

/** The idempotency key of a request; undefined if the request is not idempotent by key. */
export const idempotencyKeyOf = ({ headers, method }: HttpServerRequest.HttpServerRequest): string | undefined =>
  method === "POST" ? headers["idempotency-key"] : undefined

export const layerIdempotentPost = Layer.effect(
  IdempotentPost,
  Effect.gen(function* () {
    const idempotency = yield* Idempotency
    const requireUnits = yield* unitsRequirement
    return IdempotentPost.of((answer, { endpoint }) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const key = idempotencyKeyOf(request)
        if (key === undefined) return yield* answer
        if (!acceptableKey.test(key)) {
          return yield* Effect.fail(
            toErrorBody(
              BadRequest.of(
                "headers.idempotency-key",
                "invalid",
                "Expected 1 to 255 visible ASCII characters without spaces."
              )
            )
          )
        }
        const caller = yield* CurrentCaller
        const body = yield* Effect.orDie(request.text)
        return yield* idempotency
          .once(
            {
              projectId: caller.project.id,
              key,
              fingerprint: fingerprintOf([request.method, request.url, body, ...decider(caller, endpoint)])
            },
            {
              answer: Effect.map(
                Effect.result(Effect.andThen(requireUnits(caller, endpoint), answer)),
                (result): ResponseResult => result
              ),
              store: storedResponse,
              restore: (answerStored) => restoreResponse(answerStored, caller)
            }
          )
          .pipe(
            Effect.catchTag(["IDEMPOTENCY_KEY_REUSED", "IDEMPOTENT_REQUEST_RUNNING"], (error) =>
              Effect.fail(toErrorBody(error))
            ),
            Effect.flatMap(Effect.fromResult)
          )
      })
    )
  })
)
