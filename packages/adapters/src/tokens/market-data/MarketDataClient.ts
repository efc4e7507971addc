import type { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { Effect, type Redacted, type Schema } from "effect"
import {
  decodeJson,
  exactJsonIn,
  HostFailure,
  type HttpResponse,
  httpHost,
  unexpectedStatus
} from "../../outbound/json-api/index.ts"

export interface MarketHostOptions {
  /** Name of the source in metrics, and in the `source` field of prices and exchange rates. */
  readonly name: string
  /** Display name. */
  readonly title: string
  readonly url: string
  readonly headers?: Readonly<Record<string, Redacted.Redacted<string>>>
}

/**
 * The maximum size is several times that of the hourly prices of 90 days. Parsing a larger response would block the
 * event loop for too long.
 */
const limits = { timeoutMs: 10_000, maxBytes: 2_000_000 }
const NOT_FOUND = 404
const circuit = { failuresToOpen: 3, cooldownMs: 10_000, longestCooldownMs: 600_000 }

/** Whether the request was invalid, or not allowed for this key or plan. Other requests may still succeed. */
const isRefusal = (status: number): boolean => status >= 400 && status < 500 && status !== 429

const decodeResponse = <A>(
  response: HttpResponse,
  schema: Schema.Codec<A, unknown>,
  mayExceedPlan: boolean
): Effect.Effect<A | null, HostFailure> => {
  const { status } = response
  if (status === NOT_FOUND || (mayExceedPlan && isRefusal(status))) return Effect.succeed(null)
  if (isRefusal(status))
    return Effect.fail(new HostFailure(`it rejected the request with HTTP status ${status}`, "TOO_HEAVY"))
  if (status !== 200) return unexpectedStatus(response)
  return Effect.flatMap(exactJsonIn(response), (json) => decodeJson(schema, json))
}

/** Creates a client for the HTTP API of a market data source: GET requests with JSON responses. */
export const marketHost = ({ headers = {}, ...options }: MarketHostOptions) => {
  const host = httpHost({
    ...limits,
    ...options,
    headers: { accept: "application/json", ...headers },
    circuit,
    hasAlternatives: true
  })
  return {
    /**
     * Requests and decodes JSON, with numbers as strings. Null if the resource does not exist (404), or if the source
     * rejects a request that may exceed the plan.
     */
    get: <A>(
      path: string,
      schema: Schema.Codec<A, unknown>,
      mayExceedPlan = false
    ): Effect.Effect<A | null, UpstreamUnavailable> =>
      host.ask({ path }, (response) => decodeResponse(response, schema, mayExceedPlan))
  }
}

export type MarketDataClient = ReturnType<typeof marketHost>
