import { Effect, Schema } from "effect"
import { HostFailure, hostFailureFromStatus } from "../evm/index.ts"
import { getText, makeHostCircuit, parseExactJson, recordIn, tooLong } from "../json-api/index.ts"
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
  const circuit = yield* makeHostCircuit(circuitOptions)
  const root = url.replace(/\/+$/u, "")

  const exchange = Effect.fnUntraced(function* (path: string) {
    const { retryAfter, status, text } = yield* getText(`${root}${path}`, {}, { timeoutMs, maxBytes: MAX_ANSWER_BYTES })
    if (text === null) return yield* Effect.fail(tooLong(MAX_ANSWER_BYTES))
    if (status === BAD_REQUEST) return yield* Effect.fail(refusalOf(text))
    if (status < 200 || status > 299) return yield* Effect.fail(hostFailureFromStatus(status, retryAfter))
    return yield* Effect.try({
      try: () => parseExactJson(text),
      catch: () => new HostFailure("its answer has an unexpected form")
    })
  })

  const record = (failure: HostFailure | null) => recordIn(circuit, failure)

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
