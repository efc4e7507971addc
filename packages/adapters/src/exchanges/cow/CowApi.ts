import type { EvmChainId } from "@countersign/core/foundation/chains"
import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { Effect, Result, Schema } from "effect"
import { orderBookPaths } from "../../chains/deployments/index.ts"
import { HostFailure, hostFailureFromStatus } from "../../chains/evm/index.ts"
import { exchangeText, jsonOrNull, makeHostCircuit, recordIn, tooLong } from "../../outbound/json-api/index.ts"
import { waitingOn } from "../../outbound/waits/index.ts"

/** CoW's order books of all chains below one address. */
export interface CowApiOptions {
  readonly url: string
  readonly timeoutMs?: number
}

/** CoW Protocol's own books. */
export const COW_API_URL = "https://api.cow.fi"

const TIMEOUT_MS = 8_000
const MAX_ANSWER_BYTES = 2_000_000
/** The book reads no longer body. */
const MAX_BODY_BYTES = 16 * 1_024
const circuitOptions = { failuresToOpen: 5, cooldownMs: 2_000, longestCooldownMs: 120_000 }
const TOO_MANY_REQUESTS = 429
const SERVER_ERROR = 500

/** How the book says no. */
const Refusal = Schema.Struct({ errorType: Schema.String, description: Schema.optionalKey(Schema.String) })

/** The book answered, and refuses: asking again changes nothing. */
export class BookRefusal extends Schema.TaggedError<BookRefusal>("adapters/cow/BookRefusal")("BOOK_REFUSAL", {
  errorType: Schema.String,
  description: Schema.String
}) {}

const decodeRefusal = Schema.decodeUnknownResult(Refusal)

export interface BookRequest {
  readonly method: "GET" | "POST" | "DELETE"
  /** From `/api` on. */
  readonly path: string
  readonly body?: unknown
}

/** One HTTP API for the books of all chains: refusals are told apart from answers that do not come. */
export const makeCowApi = Effect.fnUntraced(function* ({ timeoutMs = TIMEOUT_MS, url }: CowApiOptions) {
  const circuit = yield* makeHostCircuit(circuitOptions)
  const root = url.replace(/\/+$/u, "")

  const exchange = Effect.fnUntraced(function* (slug: string, { body, method, path }: BookRequest) {
    const sent = body === undefined ? null : JSON.stringify(body)
    if (sent !== null && Buffer.byteLength(sent) > MAX_BODY_BYTES) {
      return yield* new BookRefusal({ errorType: "TooLong", description: "the book takes no request of this length" })
    }
    const { retryAfter, status, text } = yield* exchangeText(
      `${root}/${slug}${path}`,
      sent === null ? { method } : { method, body: sent, headers: { "content-type": "application/json" } },
      { timeoutMs, maxBytes: MAX_ANSWER_BYTES }
    )
    if (text === null) return yield* Effect.fail(tooLong(MAX_ANSWER_BYTES))
    if (status === TOO_MANY_REQUESTS || status >= SERVER_ERROR) {
      return yield* Effect.fail(hostFailureFromStatus(status, retryAfter))
    }
    if (status >= 200 && status < 300) return jsonOrNull(text)
    // A proxy's page and a limit's text are no JSON.
    const refusal = decodeRefusal(jsonOrNull(text))
    if (Result.isFailure(refusal)) return yield* Effect.fail(hostFailureFromStatus(status, retryAfter))
    const { description = "", errorType } = refusal.success
    return yield* new BookRefusal({ errorType, description })
  })

  /** The answer in the form that is expected. */
  const ask = <A>(
    chainId: EvmChainId,
    request: BookRequest,
    schema: Schema.Codec<A, unknown>
  ): Effect.Effect<A, BookRefusal | UpstreamUnavailable> =>
    Effect.suspend((): Effect.Effect<A, BookRefusal | HostFailure> => {
      const slug = orderBookPaths[chainId]
      if (slug === undefined) return Effect.die(new Error(`Chain ${chainId} has no order book`))
      if (circuit.state === "OPEN") {
        const seconds = Math.ceil(circuit.waitMs / 1_000)
        return Effect.fail(new HostFailure(`it failed or limits the rate, and is asked again in ${seconds} s`, "BUSY"))
      }
      const decoded = Effect.flatMap(exchange(slug, request), (json) =>
        Schema.decodeUnknownEffect(schema)(json).pipe(
          Effect.mapError(() => new HostFailure("its answer has an unexpected form"))
        )
      )
      return waitingOn("node", decoded).pipe(
        Effect.tap(() => recordIn(circuit, null)),
        Effect.tapError((failure) => recordIn(circuit, failure instanceof HostFailure ? failure : null))
      )
    }).pipe(
      Effect.mapError((failure) =>
        failure instanceof HostFailure
          ? new UpstreamUnavailable({ upstream: "CoW Protocol's order book", reason: failure.message })
          : failure
      )
    )
  return { ask }
})

export type CowApi = Effect.Success<ReturnType<typeof makeCowApi>>
