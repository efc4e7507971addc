import type { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { Effect, type Redacted } from "effect"
import {
  HostFailure,
  type HttpResponse,
  httpHost,
  type PaceLimit,
  unexpectedStatus
} from "../../outbound/json-api/index.ts"

export interface AggregatorHostOptions {
  /** Display name of the aggregator. */
  readonly title: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | Redacted.Redacted<string>>>
  /** Timeout of a request. It is short, because the response with all quotes waits for it. */
  readonly timeoutMs: number
  /** Rate limit of the host for requests from this process; null for no limit. */
  readonly pace: PaceLimit | null
  /**
   * Whether a response with a status outside of 400 to 499 is also a rejection of the request, not a failure of the
   * host.
   */
  readonly refuses?: (status: number, json: unknown) => boolean
}

/**
 * A successful response, or a rejection of the request: a status from 400 to 499 except 429, or a response that
 * `refuses` identifies.
 */
export interface AggregatorResponse extends Pick<HttpResponse, "status" | "text"> {
  /** The body, with numbers as strings; null if the body is not JSON. */
  readonly json: unknown
}

/**
 * Maximum response size, several times the size of the longest routes. Parsing a larger response would block the event
 * loop for too long.
 */
const MAX_RESPONSE_BYTES = 1_000_000
const TOO_MANY_REQUESTS = 429
const circuit = { failuresToOpen: 3, cooldownMs: 10_000, longestCooldownMs: 600_000 }

const isRefusal = (status: number): boolean => status >= 400 && status < 500 && status !== TOO_MANY_REQUESTS

/** Creates a client for an aggregator's HTTP API with JSON requests and responses. */
export const aggregatorHost = ({ headers, refuses, title, ...options }: AggregatorHostOptions) => {
  const host = httpHost({
    ...options,
    title,
    headers: { accept: "application/json", ...headers },
    maxBytes: MAX_RESPONSE_BYTES,
    circuit,
    hasAlternatives: true
  })

  const decodeResponse = (response: HttpResponse): Effect.Effect<AggregatorResponse, HostFailure> => {
    const { json, status, text } = response
    if (isRefusal(status) || refuses?.(status, json) === true) return Effect.succeed({ status, json, text })
    if (status !== 200) return unexpectedStatus(response)
    return json === null
      ? Effect.fail(new HostFailure("its response is not JSON"))
      : Effect.succeed({ status, json, text })
  }

  return {
    title,
    /** Sends a request, by POST if there is a body. */
    ask: (path: string, body: string | null = null): Effect.Effect<AggregatorResponse, UpstreamUnavailable> =>
      host.ask(
        body === null ? { path } : { method: "POST", path, body, headers: { "content-type": "application/json" } },
        decodeResponse
      )
  }
}

export type AggregatorHost = ReturnType<typeof aggregatorHost>
