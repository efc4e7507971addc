import { Clock, Effect, Schema } from "effect"
import { CircuitBreaker, HostFailure, hostFailureFromStatus, hostFailureFromThrown, textOf } from "../evm/index.ts"
import { parseExactJson } from "../market-data/index.ts"
import { waitingOn } from "../waits/index.ts"

const MAX_ANSWER_BYTES = 1_000_000
const circuitOptions = { failuresToOpen: 3, cooldownMs: 5_000, longestCooldownMs: 300_000 }
const BAD_REQUEST = 400
const MOST_ERROR_TEXT = 120

/** Esplora says in plain text why it refuses. A page of a proxy is no such text. */
const refusalOf = (text: string): HostFailure => {
  const said = text.trim()
  const isPlain = said.length <= MOST_ERROR_TEXT && /^[\w .,:;()'"-]+$/u.test(said)
  return new HostFailure(isPlain ? `it refused: ${said}` : `it answered with HTTP status ${BAD_REQUEST}`, "TOO_HEAVY")
}

/** One host of Esplora's HTTP API, with a deadline for each request and a pause after failures or as it asks for. */
export const makeEsploraHost = Effect.fnUntraced(function* (url: string, timeoutMs: number) {
  const clock = yield* Clock.Clock
  const circuit = new CircuitBreaker(circuitOptions, {
    now: () => clock.currentTimeMillisUnsafe(),
    sleep: () => Promise.resolve(),
    random: () => 0.5
  })
  const root = url.replace(/\/+$/u, "")

  const exchange = (path: string) =>
    Effect.tryPromise({
      try: async (signal): Promise<unknown> => {
        const response = await fetch(`${root}${path}`, { signal })
        const text = await textOf(response, MAX_ANSWER_BYTES)
        if (text === null) throw new HostFailure(`an answer of more than ${MAX_ANSWER_BYTES / 1e6} MB`)
        if (response.status === BAD_REQUEST) throw refusalOf(text)
        if (!response.ok) throw hostFailureFromStatus(response.status, response.headers.get("retry-after"))
        return parseExactJson(text)
      },
      catch: (thrown) =>
        thrown instanceof SyntaxError
          ? new HostFailure("its answer has an unexpected form")
          : hostFailureFromThrown(thrown, timeoutMs, "FAILED")
    }).pipe(
      Effect.timeoutOrElse({
        duration: timeoutMs,
        orElse: () => Effect.fail(new HostFailure(`no answer within ${timeoutMs} ms`))
      })
    )

  const record = (failure: HostFailure | null): Effect.Effect<void> =>
    Effect.sync(() => {
      if (failure === null || failure.kind === "TOO_HEAVY") circuit.recordSuccess()
      else if (failure.kind === "LIMITED") circuit.openFor(failure.retryAfterMs)
      else circuit.recordFailure()
    })

  return {
    /** Without a path, which may hold a key. */
    name: new URL(url).host,
    /** The answer in the form that is expected. Numbers are texts. */
    get: <A>(path: string, schema: Schema.Codec<A, unknown>): Effect.Effect<A, HostFailure> =>
      Effect.suspend(() => {
        if (circuit.state === "OPEN") {
          const seconds = Math.ceil(circuit.waitMs / 1_000)
          return Effect.fail(
            new HostFailure(`it failed or limits the rate, and is asked again in ${seconds} s`, "BUSY")
          )
        }
        const decoded = Effect.flatMap(exchange(path), (json) =>
          Schema.decodeUnknownEffect(schema)(json).pipe(
            Effect.mapError(() => new HostFailure("its answer has an unexpected form"))
          )
        )
        return waitingOn("node", decoded).pipe(
          Effect.tap(() => record(null)),
          Effect.tapError(record)
        )
      })
  }
})

export type EsploraHost = Effect.Success<ReturnType<typeof makeEsploraHost>>
