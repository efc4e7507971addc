import { createHash } from "node:crypto"
import { BadRequest } from "@countersign/core/foundation/errors"
import { Idempotency, type StoredResponse } from "@countersign/core/tenancy/idempotency"
import { type Caller, hasScope, ScopeMissing } from "@countersign/core/tenancy/projects"
import { Effect, Layer, Result, Schema, type Types } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { type ErrorBody, toErrorBody } from "../errors/index.ts"
import { requestInfo } from "../server/RequestInfo.ts"
import { unitsRequirement } from "./computeUnits.ts"
import { CurrentCaller, IdempotentPost, servedEndpointOf } from "./definitions.ts"

const acceptableKey = /^[\x21-\x7e]{1,255}$/u

/**
 * Computes a hash that is equal for equal requests. Each part is hashed with its length, so that different parts cannot
 * form the same text.
 */
const fingerprintOf = (parts: ReadonlyArray<string>): string => {
  const hash = createHash("sha256")
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:${part}`)
  return hash.digest("hex")
}

/**
 * Returns the key id as part of the fingerprint for endpoints with the scope `admin`, because the key identifies the
 * reviewer who decides. Other requests may be repeated with another key of the project, for example after a rotation.
 */
const reviewerKey = ({ keyId }: Caller, endpoint: HttpApiEndpoint.Top): ReadonlyArray<string> =>
  servedEndpointOf(endpoint).scope === "admin" ? [keyId] : []

const decoder = new TextDecoder()

/** An error body that the handler returned, not yet encoded as a response. */
const Refusal = Schema.Struct({ statusCode: Schema.Int, id: Schema.String })
const isRefusal = Schema.is(Refusal)

/** The response to a request, from its handler or from storage. */
type ResponseResult = Result.Result<
  HttpServerResponse.HttpServerResponse,
  Types.unhandled | ErrorBody<"FORBIDDEN_SCOPE">
>

/**
 * Returns whether a response is stored. Server failures are not stored, and neither are rejections that a retry may
 * avoid: a rate limit, a missing scope, exhausted compute units.
 */
const isStorable = (status: number, id = ""): boolean =>
  status < 500 && status !== 429 && id !== "FORBIDDEN_SCOPE" && id !== "UNAVAILABLE_COMPUTE_UNITS"

const StoredHttpResponse = Schema.Struct({ status: Schema.Int, contentType: Schema.String, body: Schema.String })
const ResponseText = Schema.fromJsonString(StoredHttpResponse)
const encodeResponse = Schema.encodeSync(ResponseText)
const decodeResponse = Schema.decodeSync(ResponseText)

const responseToStore = (response: ResponseResult): typeof StoredHttpResponse.Type | null => {
  if (Result.isFailure(response)) {
    const { failure } = response
    return isRefusal(failure) && isStorable(failure.statusCode, failure.id)
      ? { status: failure.statusCode, contentType: "application/json", body: JSON.stringify(failure) }
      : null
  }
  const { body, status } = response.success
  if (!isStorable(status)) return null
  if (body._tag === "Empty") return { status, contentType: "", body: "" }
  return body._tag === "Uint8Array" ? { status, contentType: body.contentType, body: decoder.decode(body.body) } : null
}

const removeFields = (body: string, fields: ReadonlyArray<string>): string =>
  fields.length === 0
    ? body
    : JSON.stringify({ ...JSON.parse(body), ...Object.fromEntries(fields.map((field) => [field, null])) })

const toStoredResponse = (response: ResponseResult): StoredResponse | null => {
  const storableResponse = responseToStore(response)
  if (storableResponse === null) return null
  const { scope, shownOnce } = requestInfo()
  return { text: encodeResponse({ ...storableResponse, body: removeFields(storableResponse.body, shownOnce) }), scope }
}

/** Restores the stored response. Fails if the key lacks the scope that the first request required. */
const restoreResponse = ({ scope, text }: StoredResponse, caller: Caller): ResponseResult => {
  if (scope !== null && !hasScope(caller, scope)) return Result.fail(toErrorBody(new ScopeMissing({ scope })))
  requestInfo().replayed = true
  const { body, contentType, status } = decodeResponse(text)
  return Result.succeed(
    contentType === "" ? HttpServerResponse.empty({ status }) : HttpServerResponse.text(body, { status, contentType })
  )
}

/** Returns the idempotency key of a POST; undefined if there is none, or for another method. */
export const idempotencyKeyOf = ({ headers, method }: HttpServerRequest.HttpServerRequest): string | undefined =>
  method === "POST" ? headers["idempotency-key"] : undefined

export const layerIdempotentPost = Layer.effect(
  IdempotentPost,
  Effect.gen(function* () {
    const idempotency = yield* Idempotency
    const requireUnits = yield* unitsRequirement
    return IdempotentPost.of((response, { endpoint }) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const key = idempotencyKeyOf(request)
        if (key === undefined) return yield* response
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
          .runOnce(
            {
              projectId: caller.project.id,
              key,
              fingerprint: fingerprintOf([request.method, request.url, body, ...reviewerKey(caller, endpoint)])
            },
            {
              respond: Effect.map(
                Effect.result(Effect.andThen(requireUnits(caller, endpoint), response)),
                (result): ResponseResult => result
              ),
              toStored: toStoredResponse,
              restore: (earlierResponse) => restoreResponse(earlierResponse, caller)
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
