import { Effect, type Schema } from "effect"
import {
  decodeJson,
  exactJsonIn,
  HostFailure,
  type HttpResponse,
  httpHost,
  unexpectedStatus
} from "../../outbound/json-api/index.ts"

const circuit = { failuresToOpen: 3, cooldownMs: 5_000, longestCooldownMs: 300_000 }
const BAD_REQUEST = 400
const NOT_FOUND = 404
const MAX_ERROR_LENGTH = 120

/** Maximum response size in bytes. Pages of transactions with many inputs are large. */
const MAX_RESPONSE_BYTES = 32_000_000

/** Extracts the reason of a rejection, which Esplora returns as plain text. A proxy returns an error page instead. */
const refusalOf = (errorText: string): HostFailure => {
  const isPlain = errorText.length <= MAX_ERROR_LENGTH && /^[\w .,:;()'"-]+$/u.test(errorText)
  return new HostFailure(
    isPlain ? `it rejected the request: ${errorText}` : `it responded with HTTP status ${BAD_REQUEST}`,
    "TOO_HEAVY"
  )
}

const unexpectedFormat = () => new HostFailure("its response has an unexpected format")

/** Returns the text of a response; null if the server does not have the item. */
const textOrNull = (response: HttpResponse): Effect.Effect<string | null, HostFailure> => {
  const { status } = response
  const text = response.text.trim()
  if (status === NOT_FOUND && /^[\w ]*not found\.?$/iu.test(text)) return Effect.succeed(null)
  if (status === BAD_REQUEST) return Effect.fail(refusalOf(text))
  return status < 200 || status > 299 ? unexpectedStatus(response) : Effect.succeed(text)
}

const decode = <A>(text: string, schema: Schema.Codec<A, unknown>) =>
  Effect.mapError(
    Effect.flatMap(exactJsonIn({ text }), (json) => decodeJson(schema, json)),
    unexpectedFormat
  )

const requireResponse = <A>(response: A | null) =>
  response === null
    ? Effect.fail(new HostFailure("it no longer has data that it reported earlier"))
    : Effect.succeed(response as NonNullable<A>)

/** Creates a client for one Esplora server. */
export const esploraHost = (url: string, timeoutMs: number) => {
  const host = httpHost({ title: "Esplora", url, timeoutMs, maxBytes: MAX_RESPONSE_BYTES, circuit })

  const getOrNull = <A>(path: string, schema: Schema.Codec<A, unknown>): Effect.Effect<A | null, HostFailure> =>
    host.exchange({ path }, (response) =>
      Effect.flatMap(textOrNull(response), (text) => (text === null ? Effect.succeed(null) : decode(text, schema)))
    )

  return {
    name: host.name,
    /** Requests and decodes JSON, with numbers as strings. Null if the server does not have the item. */
    getOrNull,
    /** Like `getOrNull`, for items that the server must have. Fails if it does not have the item. */
    get: <A>(path: string, schema: Schema.Codec<A, unknown>): Effect.Effect<A, HostFailure> =>
      Effect.flatMap(getOrNull(path, schema), requireResponse<A>) as Effect.Effect<A, HostFailure>,
    /** Requests plain text in the expected format; null if the server does not have the item. */
    getText: (path: string, form: RegExp): Effect.Effect<string | null, HostFailure> =>
      host.exchange({ path }, (response) =>
        Effect.flatMap(textOrNull(response), (text) =>
          text === null || form.test(text) ? Effect.succeed(text) : Effect.fail(unexpectedFormat())
        )
      ),
    /**
     * Requests an endpoint that many Esplora servers lack. Returns null if the request fails, and does not count this
     * as a failure of the server.
     */
    getIfServed: <A>(path: string, schema: Schema.Codec<A, unknown>): Effect.Effect<A | null> =>
      host.send({ path }).pipe(
        Effect.flatMap(({ status, text }) => (status === 200 ? decode(text, schema) : Effect.succeed(null))),
        Effect.catch(() => Effect.succeed(null))
      ),
    /** Posts a body. Returns the server's response, which may be a rejection. */
    post: (
      path: string,
      body: string
    ): Effect.Effect<{ readonly isAccepted: boolean; readonly text: string }, HostFailure> =>
      host.exchange({ method: "POST", path, body, headers: { "content-type": "text/plain" } }, (response) => {
        const { status, text } = response
        return status === 200 || status === BAD_REQUEST
          ? Effect.succeed({ isAccepted: status === 200, text: text.trim() })
          : unexpectedStatus(response)
      })
  }
}

export type EsploraHost = ReturnType<typeof esploraHost>
