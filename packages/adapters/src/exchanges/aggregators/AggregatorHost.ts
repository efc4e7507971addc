import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { Clock, Effect, Redacted } from "effect"
import { HostFailure, hostFailureFromStatus } from "../../chains/evm/index.ts"
import { exchangeText, makeHostCircuit, parseExactJson, recordIn, tooLong } from "../../outbound/json-api/index.ts"
import { waitingOn } from "../../outbound/waits/index.ts"
import { makePace, type PaceLimit } from "./Pace.ts"

export interface AggregatorHostOptions {
  /** As people read it. */
  readonly title: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | Redacted.Redacted<string>>>
  /** Of each request: other providers' quotes wait for it. */
  readonly timeoutMs: number
  /** Requests that the host takes of this process; null for no limit. */
  readonly pace: PaceLimit | null
  /** Whether an answer with another status than 400 to 499 is a refusal of what was asked too. */
  readonly refuses?: (status: number, json: unknown) => boolean
}

/** An answer, or a refusal of what was asked (400 to 499). */
export interface AggregatorAnswer {
  readonly status: number
  /** Numbers are texts; null where it is no JSON. */
  readonly json: unknown
  readonly text: string
}

const MAX_ANSWER_BYTES = 4_000_000
const TOO_MANY_REQUESTS = 429
const circuitOptions = { failuresToOpen: 3, cooldownMs: 10_000, longestCooldownMs: 600_000 }
/** Who leaves before this time has not found it slow. */
const SLOW_MS = 1_500

const isRefusal = (status: number): boolean => status >= 400 && status < 500 && status !== TOO_MANY_REQUESTS

const jsonOrNull = (text: string): unknown => {
  try {
    return parseExactJson(text)
  } catch {
    return null
  }
}

/** The HTTP API of an aggregator: JSON both ways, with a deadline, a pace, and a pause after failures or as it asks for. */
export const makeAggregatorHost = Effect.fnUntraced(function* (options: AggregatorHostOptions) {
  const { timeoutMs, title } = options
  const clock = yield* Clock.Clock
  const circuit = yield* makeHostCircuit(circuitOptions)
  const turn = options.pace === null ? Effect.void : makePace(options.pace)
  const root = options.url.replace(/\/+$/u, "")
  let isProbing = false
  const headers = Object.fromEntries(
    Object.entries(options.headers).map(([name, value]) => [
      name,
      Redacted.isRedacted(value) ? Redacted.value(value) : value
    ])
  )

  const exchange = Effect.fnUntraced(function* (path: string, body: string | null) {
    const request: Parameters<typeof exchangeText>[1] = {
      headers: {
        accept: "application/json",
        ...(body === null ? {} : { "content-type": "application/json" }),
        ...headers
      },
      ...(body === null ? {} : { method: "POST", body }),
      // A key must not follow to another host.
      redirect: "error"
    }
    const { retryAfter, status, text } = yield* exchangeText(`${root}${path}`, request, {
      timeoutMs,
      maxBytes: MAX_ANSWER_BYTES
    })
    if (text === null) return yield* Effect.fail(tooLong(MAX_ANSWER_BYTES))
    const json = jsonOrNull(text)
    if (isRefusal(status) || options.refuses?.(status, json) === true) return { status, json, text }
    if (status !== 200) return yield* Effect.fail(hostFailureFromStatus(status, retryAfter))
    if (json === null) return yield* Effect.fail(new HostFailure("its answer is no JSON"))
    return { status, json, text }
  })

  const unavailable = ({ kind, message }: HostFailure) =>
    new UpstreamUnavailable({
      upstream: title,
      reason: kind === "LIMITED" ? "it limits the rate of requests" : message
    })

  return {
    title,
    /** Asks, by POST where there is a body. */
    ask: (path: string, body: string | null = null): Effect.Effect<AggregatorAnswer, UpstreamUnavailable> =>
      Effect.gen(function* () {
        const { state, waitMs } = circuit
        if (state === "OPEN" || (state === "HALF_OPEN" && isProbing)) {
          const reason = `it failed or limits the rate, and is asked again in ${Math.ceil(waitMs / 1_000)} s`
          return yield* Effect.fail(new HostFailure(reason, "BUSY"))
        }
        yield* turn
        if (state === "HALF_OPEN") isProbing = true
        const askedMs = clock.currentTimeMillisUnsafe()
        return yield* waitingOn("node", exchange(path, body)).pipe(
          Effect.tap(() => recordIn(circuit, null)),
          Effect.tapError((failure) => recordIn(circuit, failure)),
          Effect.onInterrupt(() =>
            clock.currentTimeMillisUnsafe() - askedMs >= Math.min(SLOW_MS, timeoutMs)
              ? recordIn(circuit, new HostFailure("no answer in time"))
              : Effect.void
          ),
          Effect.ensuring(
            Effect.sync(() => {
              if (state === "HALF_OPEN") isProbing = false
            })
          )
        )
      }).pipe(Effect.mapError(unavailable))
  }
})

export type AggregatorHost = Effect.Success<ReturnType<typeof makeAggregatorHost>>
