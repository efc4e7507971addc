import type { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { Effect, type Redacted, Result } from "effect"
import { HostFailure } from "../../chains/evm/index.ts"
import {
  type HttpAnswer,
  httpHost,
  type PaceLimit,
  parseExactJson,
  unexpectedStatus
} from "../../outbound/json-api/index.ts"

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
export interface AggregatorAnswer extends Pick<HttpAnswer, "status" | "text"> {
  /** Numbers are texts; null where it is no JSON. */
  readonly json: unknown
}

/** Several times the longest routes. A larger one would occupy the event loop for long. */
const MAX_ANSWER_BYTES = 1_000_000
const TOO_MANY_REQUESTS = 429
const circuit = { failuresToOpen: 3, cooldownMs: 10_000, longestCooldownMs: 600_000 }

const isRefusal = (status: number): boolean => status >= 400 && status < 500 && status !== TOO_MANY_REQUESTS

/** The HTTP API of an aggregator, with JSON requests and responses. */
export const aggregatorHost = ({ headers, refuses, title, ...options }: AggregatorHostOptions) => {
  const host = httpHost({
    ...options,
    title,
    headers: { accept: "application/json", ...headers },
    maxBytes: MAX_ANSWER_BYTES,
    circuit,
    hasAlternatives: true
  })

  const read = (answer: HttpAnswer): Effect.Effect<AggregatorAnswer, HostFailure> => {
    const { status, text } = answer
    const json = Result.getOrElse(
      Result.try(() => parseExactJson(text)),
      () => null
    )
    if (isRefusal(status) || refuses?.(status, json) === true) return Effect.succeed({ status, json, text })
    if (status !== 200) return unexpectedStatus(answer)
    return json === null
      ? Effect.fail(new HostFailure("its response is not JSON"))
      : Effect.succeed({ status, json, text })
  }

  return {
    title,
    /** Asks, by POST where there is a body. */
    ask: (path: string, body: string | null = null): Effect.Effect<AggregatorAnswer, UpstreamUnavailable> =>
      host.ask(
        body === null ? { path } : { method: "POST", path, body, headers: { "content-type": "application/json" } },
        read
      )
  }
}

export type AggregatorHost = ReturnType<typeof aggregatorHost>
