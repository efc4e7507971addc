import { Effect, Schema } from "effect"
import { exchangeText, makeHostCircuit, parseExactJson, recordIn, tooLong } from "../../outbound/json-api/index.ts"
import { waitingOn } from "../../outbound/waits/index.ts"
import { HostFailure, hostFailureFromStatus } from "../evm/index.ts"
import { countRequest, outcomeOf, showUp } from "./bitcoinMetrics.ts"

const circuitOptions = { failuresToOpen: 3, cooldownMs: 5_000, longestCooldownMs: 300_000 }
const BAD_REQUEST = 400
const NOT_FOUND = 404
const MOST_ERROR_TEXT = 120

/** Transactions of many inputs make long pages. */
const MAX_ANSWER_BYTES = 32_000_000

/** Esplora says in plain text why it refuses. A page of a proxy is no such text. */
const refusalOf = (text: string): HostFailure => {
  const said = text.trim()
  const isPlain = said.length <= MOST_ERROR_TEXT && /^[\w .,:;()'"-]+$/u.test(said)
  return new HostFailure(isPlain ? `it refused: ${said}` : `it answered with HTTP status ${BAD_REQUEST}`, "TOO_HEAVY")
}

const unexpected = () => new HostFailure("its answer has an unexpected form")

interface Exchange {
  readonly path: string
  readonly body?: string
}

/** One host of Esplora's HTTP API, with a deadline for each request and a pause after failures or as it asks for. */
export const makeEsploraHost = Effect.fnUntraced(function* (url: string, timeoutMs: number) {
  const circuit = yield* makeHostCircuit(circuitOptions)
  const root = url.replace(/\/+$/u, "")

  /** Without a path, which may hold a key. */
  const name = new URL(url).host

  const record = Effect.fnUntraced(function* (failure: HostFailure | null) {
    yield* recordIn(circuit, failure)
    yield* countRequest(name, outcomeOf(failure))
    yield* showUp(name, circuit.state !== "OPEN")
  })

  const exchange = Effect.fnUntraced(function* ({ body, path }: Exchange) {
    const request = body === undefined ? {} : { method: "POST", body, headers: { "content-type": "text/plain" } }
    const answer = yield* exchangeText(`${root}${path}`, request, { timeoutMs, maxBytes: MAX_ANSWER_BYTES })
    if (answer.text === null) return yield* Effect.fail(tooLong(MAX_ANSWER_BYTES))
    return { ...answer, text: answer.text }
  })

  /** Unless the host is left alone for now. */
  const guarded = <A>(asked: Effect.Effect<A, HostFailure>): Effect.Effect<A, HostFailure> =>
    Effect.suspend(() => {
      if (circuit.state === "OPEN") {
        const seconds = Math.ceil(circuit.waitMs / 1_000)
        const busy = new HostFailure(`it failed or limits the rate, and is asked again in ${seconds} s`, "BUSY")
        return Effect.andThen(countRequest(name, "rejected"), Effect.fail(busy))
      }
      return waitingOn("node", asked).pipe(
        Effect.tap(() => record(null)),
        Effect.tapError(record)
      )
    })

  /** The text of an answer; null for what the host says it does not have. */
  const textOrNull = Effect.fnUntraced(function* (path: string) {
    const { retryAfter, status, text } = yield* exchange({ path })
    if (status === NOT_FOUND && /^[\w ]*not found\.?$/iu.test(text.trim())) return null
    if (status === BAD_REQUEST) return yield* Effect.fail(refusalOf(text))
    if (status < 200 || status > 299) return yield* Effect.fail(hostFailureFromStatus(status, retryAfter))
    return text
  })

  const decode = <A>(text: string, schema: Schema.Codec<A, unknown>) =>
    Effect.try({ try: () => parseExactJson(text), catch: unexpected }).pipe(
      Effect.flatMap((json) => Effect.mapError(Schema.decodeUnknownEffect(schema)(json), unexpected))
    )

  const found = <A>(answer: A | null) =>
    answer === null
      ? Effect.fail(new HostFailure("it does not have what it told of before"))
      : Effect.succeed(answer as NonNullable<A>)

  const getOrNull = <A>(path: string, schema: Schema.Codec<A, unknown>): Effect.Effect<A | null, HostFailure> =>
    guarded(Effect.flatMap(textOrNull(path), (text) => (text === null ? Effect.succeed(null) : decode(text, schema))))

  return {
    name,
    /** The answer in the form that is expected; null where the host has no such thing. Numbers are texts. */
    getOrNull,
    /** As `getOrNull`, of what the host must have. */
    get: <A>(path: string, schema: Schema.Codec<A, unknown>): Effect.Effect<A, HostFailure> =>
      Effect.flatMap(getOrNull(path, schema), found<A>) as Effect.Effect<A, HostFailure>,
    /** Plain text in the form that is expected; null where the host has no such thing. */
    getText: (path: string, form: RegExp): Effect.Effect<string | null, HostFailure> =>
      guarded(
        Effect.flatMap(textOrNull(path), (text) =>
          text === null || form.test(text.trim())
            ? Effect.succeed(text === null ? null : text.trim())
            : Effect.fail(unexpected())
        )
      ),
    /** For an endpoint that many Esplora servers lack: null without an answer, which does not count as a failure of the server. */
    getIfServed: <A>(path: string, schema: Schema.Codec<A, unknown>): Effect.Effect<A | null> =>
      exchange({ path }).pipe(
        Effect.flatMap(({ status, text }) => (status === 200 ? decode(text, schema) : Effect.succeed(null))),
        Effect.catch(() => Effect.succeed(null))
      ),
    /** What the host says to a body, also where it refuses it. */
    post: (
      path: string,
      body: string
    ): Effect.Effect<{ readonly isTaken: boolean; readonly text: string }, HostFailure> =>
      guarded(
        Effect.flatMap(exchange({ path, body }), ({ retryAfter, status, text }) =>
          status === 200 || status === BAD_REQUEST
            ? Effect.succeed({ isTaken: status === 200, text: text.trim() })
            : Effect.fail(hostFailureFromStatus(status, retryAfter))
        )
      )
  }
})

export type EsploraHost = Effect.Success<ReturnType<typeof makeEsploraHost>>
