import type { SandboxFile } from "@countersign/adapters/home"
import { Effect, Option, Schema } from "effect"
import { Refusal } from "./answers.ts"
import { DemoFailed } from "./DemoFailed.ts"

const REQUEST_TIMEOUT_MS = 30_000

/** One exchange of JSON over HTTP, as any client makes it. */
export const exchange = (
  method: "GET" | "POST",
  url: string,
  headers: Readonly<Record<string, string>> = {},
  body?: object
) =>
  Effect.tryPromise({
    try: async () => {
      const response = await fetch(url, {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS)
      })
      const answer: unknown = await response.json()
      return { status: response.status, answer }
    },
    catch: (cause) => new DemoFailed({ reason: `${method} ${url} got no answer: ${String(cause)}` })
  })

const decodeRefusal = Schema.decodeUnknownOption(Refusal)

/** The service as its clients see it: a base URL and a key. */
export const clientOf = ({ apiKey, baseUrl }: Pick<SandboxFile, "apiKey" | "baseUrl">) => {
  const ask = Effect.fnUntraced(function* <A>(
    method: "GET" | "POST",
    path: string,
    expected: Schema.Codec<A, unknown>,
    body?: object
  ) {
    const { answer, status } = yield* exchange(method, baseUrl + path, { "x-api-key": apiKey }, body)
    if (status >= 400) {
      const refusal = Option.match(decodeRefusal(answer), {
        onNone: () => JSON.stringify(answer),
        onSome: ({ id, message }) => `${id}: ${message}`
      })
      return yield* new DemoFailed({ reason: `${method} ${path} answered ${status} ${refusal}` })
    }
    return yield* Effect.mapError(
      Schema.decodeUnknownEffect(expected)(answer),
      (error) =>
        new DemoFailed({ reason: `${method} ${path} answered something else than documented: ${error.message}` })
    )
  })
  return {
    get: <A>(path: string, expected: Schema.Codec<A, unknown>) => ask("GET", path, expected),
    post: <A>(path: string, expected: Schema.Codec<A, unknown>, body: object) => ask("POST", path, expected, body)
  }
}
export type Client = ReturnType<typeof clientOf>
