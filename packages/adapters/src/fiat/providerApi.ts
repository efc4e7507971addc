import { FiatRefusal } from "@countersign/core/fiat"
import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { Effect, Option, Predicate, Result, Schema } from "effect"
import type { HostFailure } from "../chains/evm/index.ts"
import { exchangeText } from "../outbound/json-api/index.ts"
import { waitingOn } from "../outbound/waits/index.ts"
import { operatorText } from "./operatorText.ts"

const limits = { timeoutMs: 15_000, maxBytes: 2_000_000 }
/** For requests with documents of people. */
const DOCUMENT_TIMEOUT_MS = 120_000

const CHECK_DETAILS =
  "it does not accept the request. Check the amount and the payment details; the operator's log has its answer"

/**
 * The statuses of refusals, and the reason that customers see. A provider's own text may hold personal data or secrets. A refusal is
 * final; a limit of the rate, a wrong key and a failure of its own are not about this request.
 */
const refusals: ReadonlyMap<number, string> = new Map([
  [400, CHECK_DETAILS],
  [404, "it does not know something that the request names; the operator's log has its answer"],
  [409, "the request conflicts with an earlier one; the operator's log has its answer"],
  [422, CHECK_DETAILS]
])

const jsonOf = (text: string): unknown =>
  Option.getOrUndefined(Result.getSuccess(Result.try(() => JSON.parse(text) as unknown)))

const messageOf = (body: unknown): string =>
  Predicate.hasProperty(body, "message") && typeof body.message === "string" ? operatorText(body.message) : ""

export interface ProviderRequest {
  readonly method: "GET" | "POST" | "PUT"
  /** Below the base. */
  readonly path: string
  /** A form, or what becomes JSON. */
  readonly body?: unknown
  /** Whether the body carries documents, which take longer to send. */
  readonly hasDocuments?: boolean
  /** What makes a request the same when it is sent again. */
  readonly key?: string
}

interface ProviderHost {
  /** The provider's name for people. */
  readonly title: string
  readonly base: string
  /** Those that carry the key. */
  readonly headers: Readonly<Record<string, string>>
}

/** What came: the body that was asked for, or that of a refusal with the reason that customers see. */
type Answered<A> =
  | { readonly _tag: "Done"; readonly value: A }
  | { readonly _tag: "Refused"; readonly status: number; readonly body: unknown; readonly reason: string }

/** Asks a provider's JSON API: one request, with a deadline and a limit of size. */
export const providerApi = ({ base, headers, title }: ProviderHost) => {
  const unavailable = (reason: string) => new UpstreamUnavailable({ upstream: title, reason })

  const answer = Effect.fnUntraced(function* <A>(
    schema: Schema.Codec<A, unknown>,
    { body, hasDocuments = false, key, method, path }: ProviderRequest
  ): Effect.fn.Return<Answered<A>, UpstreamUnavailable> {
    const { status, text } = yield* waitingOn(
      "node",
      exchangeText(
        `${base}${path}`,
        {
          method,
          // A key must not follow to another host.
          redirect: "error",
          headers: {
            accept: "application/json",
            ...headers,
            ...(body === undefined || body instanceof FormData ? {} : { "content-type": "application/json" }),
            ...(key === undefined ? {} : { "idempotency-key": key })
          },
          ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) })
        },
        hasDocuments || body instanceof FormData ? { ...limits, timeoutMs: DOCUMENT_TIMEOUT_MS } : limits
      )
    ).pipe(Effect.mapError((failure: HostFailure) => unavailable(failure.message)))
    const json = jsonOf(text ?? "")
    const reason = refusals.get(status)
    if (reason !== undefined) {
      // Of the path the kind of resource alone: the rest may name a customer.
      const [, resource] = path.split(/[/?]/u)
      yield* Effect.logWarning("a provider of bank payments refused a request", {
        provider: title,
        request: `${method} ${resource}`,
        status,
        text: messageOf(json)
      })
      return { _tag: "Refused", status, body: json, reason }
    }
    if (status === 429) return yield* unavailable("it limits the rate of requests")
    if (status < 200 || status > 299) return yield* unavailable(`status ${status}`)
    const decoded = Schema.decodeUnknownOption(schema)(json)
    if (Option.isNone(decoded)) return yield* unavailable("its answer has an unexpected form")
    return { _tag: "Done", value: decoded.value }
  })

  const ask = Effect.fnUntraced(function* <A>(
    schema: Schema.Codec<A, unknown>,
    request: ProviderRequest
  ): Effect.fn.Return<A, FiatRefusal | UpstreamUnavailable> {
    const answered = yield* answer(schema, request)
    return answered._tag === "Done"
      ? answered.value
      : yield* new FiatRefusal({ provider: title, reason: answered.reason })
  })

  return { answer, ask }
}

export type ProviderApi = ReturnType<typeof providerApi>
