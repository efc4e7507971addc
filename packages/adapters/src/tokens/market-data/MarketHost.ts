import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { Clock, Effect, Redacted, Schema } from "effect"
import { HostFailure, hostFailureFromStatus } from "../../chains/evm/index.ts"
import { getText, makeHostCircuit, parseExactJson, recordIn, tooLong } from "../../outbound/json-api/index.ts"
import { waitingOn } from "../../outbound/waits/index.ts"
import { countRequest, showUp } from "./marketMetrics.ts"

export interface MarketHostOptions {
  /** As metrics and figures name it. */
  readonly name: string
  /** As people read it. */
  readonly title: string
  readonly url: string
  readonly headers?: Readonly<Record<string, Redacted.Redacted<string>>>
}

const limits = { timeoutMs: 10_000, maxBytes: 16_000_000 }
/** Who asks for a page waits this long at least, before they give up. */
const SLOW_MS = 1_500
const NOT_FOUND = 404
const circuitOptions = { failuresToOpen: 3, cooldownMs: 10_000, longestCooldownMs: 600_000 }

/** The request was wrong, or not for this key or plan: that says nothing of other requests. */
const isRefusal = (status: number): boolean => status >= 400 && status < 500 && status !== 429

/** A source's HTTP API: GET of JSON, with a deadline, a limit of size, and a pause after failures or as it asks for. */
export const makeMarketHost = Effect.fnUntraced(function* ({ headers = {}, name, title, url }: MarketHostOptions) {
  const clock = yield* Clock.Clock
  const circuit = yield* makeHostCircuit(circuitOptions)
  let isProbing = false
  const unavailable = (reason: string) => new UpstreamUnavailable({ upstream: title, reason })

  const request = {
    headers: {
      accept: "application/json",
      ...Object.fromEntries(Object.entries(headers).map(([header, value]) => [header, Redacted.value(value)]))
    },
    // A key must not follow to another host.
    redirect: "error"
  } as const

  const exchange = Effect.fnUntraced(function* (path: string) {
    const { retryAfter, status, text } = yield* getText(`${url}${path}`, request, limits)
    if (status === NOT_FOUND) return null
    if (text === null) return yield* Effect.fail(tooLong(limits.maxBytes))
    if (isRefusal(status))
      return yield* Effect.fail(new HostFailure(`it refused with HTTP status ${status}`, "TOO_HEAVY"))
    if (status !== 200) return yield* Effect.fail(hostFailureFromStatus(status, retryAfter))
    return yield* Effect.try({
      try: () => parseExactJson(text),
      catch: () => new HostFailure("its answer is no JSON")
    })
  })

  const record = (failure: HostFailure | null) => {
    const outcome = failure === null ? "answered" : failure.kind === "LIMITED" ? "limited" : "failed"
    return recordIn(circuit, failure).pipe(
      Effect.andThen(countRequest(name, outcome)),
      Effect.andThen(Effect.suspend(() => showUp(name, circuit.state === "CLOSED")))
    )
  }

  const reasonOf = (failure: HostFailure): string =>
    failure.kind === "LIMITED" ? "it limits the rate of requests" : failure.message

  yield* showUp(name, true)
  return {
    /** The answer in the form that is expected; null where there is no such thing (404). Numbers are texts. */
    get: <A>(path: string, schema: Schema.Codec<A, unknown>): Effect.Effect<A | null, UpstreamUnavailable> =>
      Effect.suspend(() => {
        const { state, waitMs } = circuit
        if (state === "OPEN" || (state === "HALF_OPEN" && isProbing)) {
          const reason = `it failed or limits the rate, and is asked again in ${Math.ceil(waitMs / 1000)} s`
          return Effect.andThen(countRequest(name, "rejected"), Effect.fail(unavailable(reason)))
        }
        if (state === "HALF_OPEN") isProbing = true
        const askedMs = clock.currentTimeMillisUnsafe()
        const decoded = Effect.flatMap(exchange(path), (json) =>
          json === null
            ? Effect.succeed(null)
            : Schema.decodeUnknownEffect(schema)(json).pipe(
                Effect.mapError(() => new HostFailure("its answer has an unexpected form"))
              )
        )
        return waitingOn("node", decoded).pipe(
          Effect.tap(() => record(null)),
          Effect.tapError(record),
          // Without this a source that hangs would hold up every answer, and never be left alone.
          Effect.onInterrupt(() =>
            clock.currentTimeMillisUnsafe() - askedMs >= SLOW_MS
              ? record(new HostFailure("no answer in time"))
              : Effect.void
          ),
          Effect.ensuring(
            Effect.sync(() => {
              if (state === "HALF_OPEN") isProbing = false
            })
          ),
          Effect.mapError((failure) => unavailable(reasonOf(failure)))
        )
      })
  }
})

export type MarketHost = Effect.Success<ReturnType<typeof makeMarketHost>>
