import { UpstreamUnavailable } from "@countersign/core/errors"
import { FiatRefusal } from "@countersign/core/fiat"
import { Effect, Option, Predicate, Result, Schema } from "effect"
import type { HostFailure } from "../evm/index.ts"
import { exchangeText } from "../json-api/index.ts"
import { waitingOn } from "../waits/index.ts"

const limits = { timeoutMs: 15_000, maxBytes: 2_000_000 }

/** A refusal is final; a limit of the rate, a wrong key and a failure of its own are not about this request. */
const isRefusal = (status: number): boolean => [400, 404, 409, 422].includes(status)

const jsonOf = (text: string): unknown =>
  Option.getOrUndefined(Result.getSuccess(Result.try(() => JSON.parse(text) as unknown)))

const messageOf = (body: unknown, status: number): string =>
  Predicate.hasProperty(body, "message") && typeof body.message === "string"
    ? body.message.slice(0, 300)
    : `status ${status}`

export interface ProviderRequest {
  readonly method: "GET" | "POST"
  /** Below the base. */
  readonly path: string
  readonly body?: unknown
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

/** What came: the body that was asked for, or that of a refusal. */
type Answered<A> =
  | { readonly _tag: "Done"; readonly value: A }
  | { readonly _tag: "Refused"; readonly body: unknown; readonly reason: string }

/** Asks a provider's JSON API: one request, with a deadline and a limit of size. */
export const providerApi = ({ base, headers, title }: ProviderHost) => {
  const unavailable = (reason: string) => new UpstreamUnavailable({ upstream: title, reason })

  const answer = Effect.fnUntraced(function* <A>(
    schema: Schema.Codec<A, unknown>,
    { body, key, method, path }: ProviderRequest
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
            ...(body === undefined ? {} : { "content-type": "application/json" }),
            ...(key === undefined ? {} : { "idempotency-key": key })
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) })
        },
        limits
      )
    ).pipe(Effect.mapError((failure: HostFailure) => unavailable(failure.message)))
    const json = jsonOf(text ?? "")
    if (isRefusal(status)) return { _tag: "Refused", body: json, reason: messageOf(json, status) }
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
