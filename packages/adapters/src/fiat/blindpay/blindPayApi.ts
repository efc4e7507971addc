import { UpstreamUnavailable } from "@countersign/core/errors"
import { FiatRefusal } from "@countersign/core/fiat"
import { Effect, Option, Predicate, Redacted, Result, Schema } from "effect"
import type { HostFailure } from "../../evm/index.ts"
import { exchangeText } from "../../json-api/index.ts"
import { waitingOn } from "../../waits/index.ts"

export interface BlindPaySettings {
  /** Where that is not BlindPay's own. */
  readonly url: string | null
  readonly apiKey: Redacted.Redacted<string>
  readonly instanceId: string
  /** With which it signs its messages; without one none is taken, and orders are asked for alone. */
  readonly webhookSecret: Redacted.Redacted<string> | null
}

export const TITLE = "BlindPay"
const PUBLIC_URL = "https://api.blindpay.com"
const limits = { timeoutMs: 15_000, maxBytes: 2_000_000 }

const unavailable = (reason: string) => new UpstreamUnavailable({ upstream: TITLE, reason })
const refused = (reason: string) => new FiatRefusal({ provider: TITLE, reason })

/** A refusal is final; a limit of the rate, a wrong key and a failure of its own are not about this request. */
const isRefusal = (status: number): boolean => [400, 404, 409, 422].includes(status)

const jsonOf = (text: string): unknown =>
  Option.getOrUndefined(Result.getSuccess(Result.try(() => JSON.parse(text) as unknown)))

const messageOf = (body: unknown, status: number): string =>
  Predicate.hasProperty(body, "message") && typeof body.message === "string"
    ? body.message.slice(0, 300)
    : `status ${status}`

interface Request {
  readonly method: "GET" | "POST"
  /** Below the instance. */
  readonly path: string
  readonly body?: unknown
  /** What makes a request the same when it is sent again. */
  readonly key?: string
}

/** Asks BlindPay's API: one request, with a deadline and a limit of size. */
export const blindPayApi = ({ apiKey, instanceId, url }: BlindPaySettings) => {
  const base = `${url ?? PUBLIC_URL}/v1/instances/${encodeURIComponent(instanceId)}`

  return Effect.fnUntraced(function* <A>(
    schema: Schema.Codec<A, unknown>,
    { body, key, method, path }: Request
  ): Effect.fn.Return<A, FiatRefusal | UpstreamUnavailable> {
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
            authorization: `Bearer ${Redacted.value(apiKey)}`,
            ...(body === undefined ? {} : { "content-type": "application/json" }),
            ...(key === undefined ? {} : { "idempotency-key": key })
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) })
        },
        limits
      )
    ).pipe(Effect.mapError((failure: HostFailure) => unavailable(failure.message)))
    const answer = jsonOf(text ?? "")
    if (isRefusal(status)) return yield* refused(messageOf(answer, status))
    if (status === 429) return yield* unavailable("it limits the rate of requests")
    if (status < 200 || status > 299) return yield* unavailable(`status ${status}`)
    const decoded = Schema.decodeUnknownOption(schema)(answer)
    return Option.isSome(decoded) ? decoded.value : yield* unavailable("its answer has an unexpected form")
  })
}

export type BlindPayApi = ReturnType<typeof blindPayApi>
