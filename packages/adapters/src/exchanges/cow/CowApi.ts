import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { Effect, Result, Schema } from "effect"
import { orderBookPaths } from "../../chains/deployments/index.ts"
import {
  decodeJson,
  type HostFailure,
  type HttpRequest,
  type HttpResponse,
  httpHost,
  unexpectedStatus
} from "../../outbound/json-api/index.ts"

/** The URL that serves CoW's order books of all chains. */
export interface CowApiOptions {
  readonly url: string
  readonly timeoutMs?: number
}

/** URL of CoW Protocol's own order books. */
export const COW_API_URL = "https://api.cow.fi"

export const TITLE = "CoW Protocol's order book"
const TIMEOUT_MS = 8_000
const MAX_RESPONSE_BYTES = 2_000_000
/** Maximum size of a request body that the order book API accepts, in bytes. */
const MAX_BODY_BYTES = 16 * 1_024
const TOO_MANY_REQUESTS = 429
const SERVER_ERROR = 500

/** The format of the order book's errors. */
const Refusal = Schema.Struct({ errorType: Schema.String, description: Schema.optionalKey(Schema.String) })

/** The order book rejected the request. */
export class BookRefusal extends Schema.TaggedError<BookRefusal>("adapters/cow/BookRefusal")("BOOK_REFUSAL", {
  errorType: Schema.String,
  description: Schema.String
}) {}

const decodeRefusal = Schema.decodeUnknownResult(Refusal)

export interface BookRequest extends Pick<HttpRequest, "isReadOnly"> {
  readonly method: "GET" | "POST" | "DELETE"
  /** Path of the request, starting with `/api`. */
  readonly path: string
  readonly body?: unknown
}

/** Decodes the order book's response as JSON. A rejection and a failure of the host are different errors. */
const decodeResponse = (response: HttpResponse): Effect.Effect<unknown, BookRefusal | HostFailure> => {
  const { json, status } = response
  if (status === TOO_MANY_REQUESTS || status >= SERVER_ERROR) return unexpectedStatus(response)
  if (status >= 200 && status < 300) return Effect.succeed(json)
  // A proxy's error page or a rate limit message may not be JSON.
  const refusal = decodeRefusal(json)
  if (Result.isFailure(refusal)) return unexpectedStatus(response)
  const { description = "", errorType } = refusal.success
  return Effect.fail(new BookRefusal({ errorType, description }))
}

/** Creates a client for the HTTP API that serves the order books of all chains. */
export const cowApi = ({ timeoutMs = TIMEOUT_MS, url }: CowApiOptions) => {
  const host = httpHost({ title: TITLE, url, timeoutMs, maxBytes: MAX_RESPONSE_BYTES })

  const sendRequest = Effect.fnUntraced(function* <A>(
    chainId: EvmChainId,
    { body, isReadOnly = false, method, path }: BookRequest,
    schema: Schema.Codec<A, unknown>
  ): Effect.fn.Return<A, BookRefusal | UpstreamUnavailable> {
    const slug = orderBookPaths[chainId]
    if (slug === undefined) return yield* Effect.die(new Error(`Chain ${chainId} has no order book`))
    const requestBody = body === undefined ? null : JSON.stringify(body)
    if (requestBody !== null && Buffer.byteLength(requestBody) > MAX_BODY_BYTES) {
      return yield* new BookRefusal({
        errorType: "TooLong",
        description: "the request is larger than the order book API accepts"
      })
    }
    const request = {
      method,
      path: `/${slug}${path}`,
      isReadOnly,
      ...(requestBody === null ? {} : { body: requestBody, headers: { "content-type": "application/json" } })
    }
    return yield* host.ask(request, (response) =>
      Effect.flatMap(decodeResponse(response), (json) => decodeJson(schema, json))
    )
  })
  return { sendRequest }
}

export type CowApi = ReturnType<typeof cowApi>
