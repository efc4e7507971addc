import { Effect } from "effect"
import { HostFailure, hostFailureFromThrown, textOf } from "../../chains/evm/index.ts"

export interface TextAnswer {
  readonly status: number
  /** Null where there is more of it than was to be read. */
  readonly text: string | null
  readonly retryAfter: string | null
}

/** A request, with a deadline and a limit of the answer's size. */
export const exchangeText = (
  url: string,
  request: Pick<RequestInit, "body" | "headers" | "method" | "redirect">,
  { maxBytes, timeoutMs }: { readonly maxBytes: number; readonly timeoutMs: number }
): Effect.Effect<TextAnswer, HostFailure> =>
  Effect.tryPromise({
    try: async (signal) => {
      const response = await fetch(url, { ...request, signal })
      const text = await textOf(response, maxBytes)
      return { status: response.status, text, retryAfter: response.headers.get("retry-after") }
    },
    catch: (thrown) => hostFailureFromThrown(thrown, timeoutMs, "FAILED")
  }).pipe(
    Effect.timeoutOrElse({
      duration: timeoutMs,
      orElse: () => Effect.fail(new HostFailure(`no answer within ${timeoutMs} ms`))
    })
  )

/** GET. */
export const getText = (
  url: string,
  request: Pick<RequestInit, "headers" | "redirect">,
  limits: { readonly maxBytes: number; readonly timeoutMs: number }
): Effect.Effect<TextAnswer, HostFailure> => exchangeText(url, request, limits)

export const tooLong = (maxBytes: number) => new HostFailure(`an answer of more than ${maxBytes / 1e6} MB`)
