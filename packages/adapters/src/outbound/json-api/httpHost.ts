import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { Clock, Duration, Effect, Redacted, Schedule, Schema } from "effect"
import { measureWait } from "../waits/index.ts"
import { CircuitBreaker } from "./CircuitBreaker.ts"
import { exactJsonOrNull, parseExactJson } from "./exactJson.ts"
import { HostFailure, hostFailureFromStatus, hostFailureFromThrown } from "./HostFailure.ts"
import { countRequest, countRetry, outcomeOf, recordAvailability } from "./httpHostMetrics.ts"
import { makePace, type PaceLimit } from "./Pace.ts"
import { MAX_DELAY_MS, RetryBudget, retryDelays } from "./retries.ts"
import { targetOf } from "./targetOf.ts"
import { bytesOf } from "./textOf.ts"

export interface HttpHostOptions {
  /** Name in error messages. */
  readonly title: string
  /** Name in metrics. Default: host name and port of the URL. */
  readonly name?: string
  /** Base URL of requests. Credentials in the URL are sent as a header. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string | Redacted.Redacted<string>>>
  readonly timeoutMs: number
  readonly maxBytes: number
  /** The conditions under which failures open the host's circuit. */
  readonly circuit?: ConstructorParameters<typeof CircuitBreaker>[0]
  /**
   * Whether callers have alternative sources. If true: a slow request that a caller cancels counts as a failure of the
   * host. After a pause one request probes the host, and other requests fail until it succeeds. Requests are not
   * retried, because the caller uses an alternative, and a quote would wait for the retry.
   */
  readonly hasAlternatives?: boolean
  /** Rate limit of the host for requests from this process; null for no limit. */
  readonly pace?: PaceLimit | null
}

export interface HttpRequest {
  readonly method?: "DELETE" | "GET" | "HEAD" | "POST" | "PUT"
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: NonNullable<RequestInit["body"]>
  /** Whether a request other than GET and HEAD has no side effect, so that `ask` may retry it. */
  readonly isReadOnly?: boolean
  /** Default: the host's timeout. */
  readonly timeoutMs?: number
}

export interface HttpResponse {
  readonly status: number
  readonly bytes: Uint8Array
  readonly text: string
  /** The body with numbers as strings, so that no digit is lost in a floating-point number; null if it is not JSON. */
  readonly json: unknown
  readonly retryAfter: string | null
}

const CIRCUIT = { failuresToOpen: 5, cooldownMs: 2_000, longestCooldownMs: 120_000 }
/** A request that is cancelled before this time, in milliseconds, does not count as a failure. */
const SLOW_MS = 1_500

const unredactedHeaders = (headers: NonNullable<HttpHostOptions["headers"]>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Redacted.isRedacted(value) ? Redacted.value(value) : value])
  )

/**
 * Creates a client for one host of a provider's HTTP API. Every request has a timeout and a maximum response size,
 * respects the host's rate limit, and is counted in metrics. The host gets no requests for a while after failures, or
 * if it requests a pause.
 */
export const httpHost = (options: HttpHostOptions) => {
  const target = targetOf(options.url)
  const root = target.url.replace(/\/+$/u, "")
  const name = options.name ?? target.name
  const headers = { ...target.headers, ...unredactedHeaders(options.headers ?? {}) }
  const hasAlternatives = options.hasAlternatives === true
  const waitForPace = options.pace == null ? Effect.void : makePace(options.pace)
  let circuit: CircuitBreaker | undefined
  const budget = new RetryBudget()
  let isProbing = false

  const circuitAt = (clock: Clock.Clock): CircuitBreaker => {
    circuit ??= new CircuitBreaker(options.circuit ?? CIRCUIT, {
      now: () => clock.currentTimeMillisUnsafe(),
      random: () => 0.5
    })
    return circuit
  }

  /** Sends a request without recording its outcome for the host. */
  const send = ({
    path,
    timeoutMs = options.timeoutMs,
    ...request
  }: HttpRequest): Effect.Effect<HttpResponse, HostFailure> =>
    Effect.tryPromise({
      try: async (signal) => {
        const response = await fetch(`${root}${path}`, {
          ...request,
          headers: { ...headers, ...request.headers },
          // An API key or a document must not be redirected to another host.
          redirect: "manual",
          signal
        })
        const { status } = response
        if (status >= 300 && status < 400) {
          await response.body?.cancel()
          throw new HostFailure(`it redirects with HTTP status ${status}. Set its URL to the target of the redirect`)
        }
        const bytes = await bytesOf(response, options.maxBytes)
        if (bytes === null) throw new HostFailure(`its response has more than ${options.maxBytes / 1e6} MB`)
        return {
          status,
          bytes,
          retryAfter: response.headers.get("retry-after"),
          get text() {
            return bytes.toString()
          },
          get json() {
            return exactJsonOrNull(bytes.toString())
          }
        }
      },
      catch: (thrown) => hostFailureFromThrown(thrown, timeoutMs)
    }).pipe(
      Effect.timeoutOrElse({
        duration: timeoutMs,
        orElse: () => Effect.fail(new HostFailure(`no response within ${timeoutMs} ms`))
      })
    )

  /**
   * Records the outcome of one attempt. A rate limit opens the circuit. `countFailureOnce` counts other failures of the
   * host, once per request.
   */
  const recordAttempt = (breaker: CircuitBreaker, failure: HostFailure | null) =>
    Effect.suspend(() => {
      // The host works, although it rejected the request or the response was too expensive.
      if (failure === null || failure.kind === "TOO_HEAVY") {
        breaker.recordSuccess()
        budget.recordSuccess()
      } else {
        if (failure.kind === "LIMITED") breaker.openFor(failure.retryAfterMs)
        budget.recordFailure()
      }
      return Effect.andThen(
        countRequest(name, outcomeOf(failure)),
        recordAvailability(name, breaker.state === "CLOSED")
      )
    })

  const recordFailedRequest = Effect.gen(function* () {
    const breaker = circuitAt(yield* Clock.Clock)
    breaker.recordFailure()
    yield* recordAvailability(name, breaker.state === "CLOSED")
  })

  /** Adds a failed request to the circuit once, regardless of the number of attempts. */
  const countFailureOnce = <A, E>(request: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.tapError(request, (failure) =>
      failure instanceof HostFailure && failure.kind === "FAILED" ? recordFailedRequest : Effect.void
    )

  const upstreamError = ({ kind, message }: HostFailure) =>
    new UpstreamUnavailable({
      upstream: options.title,
      reason: kind === "LIMITED" ? "it limits the rate of requests" : message
    })

  /**
   * Sends a request and reads the response. If `read` fails with a `HostFailure`, this counts like a failure to send
   * the request. Any other failure counts as a response.
   */
  const attempt = Effect.fnUntraced(function* <A, F>(
    request: HttpRequest,
    read: (response: HttpResponse) => Effect.Effect<A, F>
  ): Effect.fn.Return<A, F | HostFailure> {
    const clock = yield* Clock.Clock
    const breaker = circuitAt(clock)
    const { state, waitMs } = breaker
    const isProbe = state === "HALF_OPEN" && hasAlternatives
    if (state === "OPEN" || (isProbe && isProbing)) {
      yield* countRequest(name, "rejected")
      const reason = `it failed or limits the rate of requests, and the next request is sent in ${Math.ceil(waitMs / 1_000)} s`
      return yield* Effect.fail(new HostFailure(reason, "BUSY"))
    }
    yield* waitForPace
    if (isProbe) isProbing = true
    const requestedAtMs = clock.currentTimeMillisUnsafe()
    const { timeoutMs = options.timeoutMs } = request
    return yield* measureWait("node", Effect.flatMap(send(request), read)).pipe(
      Effect.tap(() => recordAttempt(breaker, null)),
      Effect.tapError((failure) => recordAttempt(breaker, failure instanceof HostFailure ? failure : null)),
      // Without this, a host that never responds would delay every caller that cancels early, and its circuit would
      // never open.
      Effect.onInterrupt(() =>
        hasAlternatives && clock.currentTimeMillisUnsafe() - requestedAtMs >= Math.min(SLOW_MS, timeoutMs)
          ? Effect.andThen(recordAttempt(breaker, new HostFailure("no response in time")), recordFailedRequest)
          : Effect.void
      ),
      Effect.ensuring(
        Effect.sync(() => {
          if (isProbe) isProbing = false
        })
      )
    )
  })

  const exchange = <A, F>(request: HttpRequest, read: (response: HttpResponse) => Effect.Effect<A, F>) =>
    countFailureOnce(attempt(request, read))

  /** Repeats an exchange that failed without side effects. All attempts together take at most the timeout of one. */
  const retryingExchange = Effect.fnUntraced(function* <A, F>(
    request: HttpRequest,
    read: (response: HttpResponse) => Effect.Effect<A, F>
  ): Effect.fn.Return<A, F | HostFailure> {
    const clock = yield* Clock.Clock
    const remainingMs = () => deadlineMs - clock.currentTimeMillisUnsafe()
    const deadlineMs = clock.currentTimeMillisUnsafe() + (request.timeoutMs ?? options.timeoutMs)
    const retries = retryDelays.pipe(
      Schedule.while(({ duration, input }) => {
        const delayMs = Duration.toMillis(duration)
        const isPossible =
          input instanceof HostFailure &&
          input.isTransient &&
          budget.allowsRetry &&
          circuitAt(clock).waitMs <= delayMs &&
          delayMs < Math.min(MAX_DELAY_MS, remainingMs())
        return isPossible ? Effect.as(countRetry(name), true) : Effect.succeed(false)
      })
    )
    return yield* countFailureOnce(
      Effect.retry(
        Effect.suspend(() => attempt({ ...request, timeoutMs: remainingMs() }, read)),
        retries
      )
    )
  })

  const isRetried = ({ isReadOnly, method = "GET" }: HttpRequest): boolean =>
    !hasAlternatives && (isReadOnly === true || method === "GET" || method === "HEAD")

  return {
    name,
    send,
    /** Makes one attempt, for callers that use another host after a failure. */
    exchange,
    /**
     * Like `exchange`, but retries requests without side effects, and converts failures of the host to
     * `UpstreamUnavailable`.
     */
    ask: <A, F>(
      request: HttpRequest,
      read: (response: HttpResponse) => Effect.Effect<A, F>
    ): Effect.Effect<A, Exclude<F, HostFailure> | UpstreamUnavailable> =>
      Effect.mapError((isRetried(request) ? retryingExchange : exchange)(request, read), (failure) =>
        failure instanceof HostFailure ? upstreamError(failure) : (failure as Exclude<F, HostFailure>)
      )
  }
}

export type HttpHost = ReturnType<typeof httpHost>

export const unexpectedStatus = ({ retryAfter, status }: HttpResponse) =>
  Effect.fail(hostFailureFromStatus(status, retryAfter))

/** Parses the JSON of a response, with numbers as strings. */
export const exactJsonIn = ({ text }: Pick<HttpResponse, "text">): Effect.Effect<unknown, HostFailure> =>
  Effect.try({ try: () => parseExactJson(text), catch: () => new HostFailure("its response is not JSON") })

export const decodeJson = <A>(schema: Schema.Codec<A, unknown>, json: unknown): Effect.Effect<A, HostFailure> =>
  Effect.mapError(
    Schema.decodeUnknownEffect(schema)(json),
    () => new HostFailure("its response has an unexpected format")
  )
