import { FiatRefusal } from "@countersign/core/fiat"
import type { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { Effect, Predicate, type Redacted, type Schema } from "effect"
import {
  decodeJson,
  HostFailure,
  type HttpRequest,
  type HttpResponse,
  httpHost,
  unexpectedStatus
} from "../outbound/json-api/index.ts"
import { operatorText } from "./operatorText.ts"

const limits = { timeoutMs: 15_000, maxBytes: 2_000_000 }
/** Timeout in milliseconds of requests with identity documents. */
const DOCUMENT_TIMEOUT_MS = 120_000

const CHECK_DETAILS =
  "it does not accept the request. Check the amount and the payment details; the operator's log has its response"

const CONFLICT = 409

/**
 * HTTP statuses of permanent rejections, with the reason for customers. A provider's own text may contain personal data
 * or secrets. A rate limit, an invalid key and an internal error are not listed, because they do not concern the
 * request itself.
 */
const refusals: ReadonlyMap<number, string> = new Map([
  [400, CHECK_DETAILS],
  [404, "it did not find a resource of the request; the operator's log has its response"],
  [CONFLICT, "the request conflicts with an earlier one; the operator's log has its response"],
  [422, CHECK_DETAILS]
])

/**
 * Statuses from 400 to 499 after which the same request may succeed later. All others in this range are permanent for
 * the request.
 */
const temporaryStatuses: ReadonlySet<number> = new Set([401, 408, 429])

const messageOf = (body: unknown): string =>
  Predicate.hasProperty(body, "message") && typeof body.message === "string" ? operatorText(body.message) : ""

export interface ProviderRequest extends Pick<HttpRequest, "isReadOnly"> {
  readonly method: "GET" | "POST" | "PUT"
  /** Path relative to the base URL. */
  readonly path: string
  /** A form, or a value that is sent as JSON. */
  readonly body?: unknown
  /** Whether the body contains documents, which take longer to send. */
  readonly hasDocuments?: boolean
  /**
   * Idempotency key. Requests with a key are not retried automatically, because the provider may still process the
   * first request. It then responds with 409, which is not a rejection: the caller must repeat the request later.
   */
  readonly key?: string
}

interface ProviderHost {
  /** Display name of the provider. */
  readonly title: string
  readonly base: string
  /** Headers that contain the API key. */
  readonly headers: Readonly<Record<string, string | Redacted.Redacted<string>>>
}

/** The decoded body of a response; for a rejection its body and the reason for customers. */
type ProviderResult<A> =
  | { readonly _tag: "Done"; readonly value: A }
  | { readonly _tag: "Refused"; readonly status: number; readonly body: unknown; readonly reason: string }

/** Creates a client for a provider's JSON API. */
export const providerApi = ({ base, headers, title }: ProviderHost) => {
  const options = { ...limits, title, url: base, headers: { accept: "application/json", ...headers } }
  const host = httpHost(options)
  /** Documents use a separate circuit breaker, so that failing uploads do not stop orders. */
  const documentHost = httpHost({ ...options, timeoutMs: DOCUMENT_TIMEOUT_MS, name: `${host.name}/documents` })

  const decodeResponse = Effect.fnUntraced(function* <A>(
    schema: Schema.Codec<A, unknown>,
    { key, method, path }: ProviderRequest,
    response: HttpResponse
  ): Effect.fn.Return<ProviderResult<A>, HostFailure> {
    const { json, status } = response
    if (status === CONFLICT && key !== undefined)
      return yield* Effect.fail(new HostFailure("it still processes an earlier request with the same key", "TOO_HEAVY"))
    const reason = refusals.get(status)
    if (reason !== undefined) {
      // Uses only the resource type in the path, because the rest may identify a customer.
      const [, resource] = path.split(/[/?]/u)
      yield* Effect.logWarning("a fiat provider rejected a request", {
        provider: title,
        request: `${method} ${resource}`,
        status,
        text: messageOf(json)
      })
      return { _tag: "Refused", status, body: json, reason }
    }
    if (status >= 400 && status < 500 && !temporaryStatuses.has(status))
      return yield* Effect.fail(new HostFailure(`it responded with HTTP status ${status}`, "TOO_HEAVY"))
    if (status < 200 || status > 299) return yield* unexpectedStatus(response)
    return { _tag: "Done", value: yield* decodeJson(schema, json) }
  })

  const requestDecoded = <A>(
    schema: Schema.Codec<A, unknown>,
    request: ProviderRequest
  ): Effect.Effect<ProviderResult<A>, UpstreamUnavailable> => {
    const { body, hasDocuments = false, isReadOnly = false, key, method, path } = request
    const isForm = body instanceof FormData
    const sentRequest = {
      method,
      path,
      isReadOnly,
      headers: {
        ...(body === undefined || isForm ? {} : { "content-type": "application/json" }),
        ...(key === undefined ? {} : { "idempotency-key": key })
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) })
    }
    return (hasDocuments || isForm ? documentHost : host).ask(sentRequest, (response) =>
      decodeResponse(schema, request, response)
    )
  }

  const sendRequest = Effect.fnUntraced(function* <A>(
    schema: Schema.Codec<A, unknown>,
    request: ProviderRequest
  ): Effect.fn.Return<A, FiatRefusal | UpstreamUnavailable> {
    const result = yield* requestDecoded(schema, request)
    return result._tag === "Done" ? result.value : yield* new FiatRefusal({ provider: title, reason: result.reason })
  })

  return { requestDecoded, ask: sendRequest }
}

export type ProviderApi = ReturnType<typeof providerApi>
