import { randomUUID } from "node:crypto"
import type { AnyEndpoint } from "@countersign/adapters/api/endpoints"
import { Effect, Redacted } from "effect"

export interface ServiceAddress {
  readonly url: string
  readonly apiKey: Redacted.Redacted<string>
}

export interface ServiceResponse {
  readonly isOk: boolean
  /** Text of the response as received, or an error message if there was no response. */
  readonly text: string
}

/** Exceeds the response timeout of the service. */
const TIMEOUT_MS = 60_000

const requestOf = (
  { method, params = {}, path, query = {} }: AnyEndpoint,
  input: Readonly<Record<string, unknown>>
) => {
  const filledPath = Object.keys(params).reduce(
    (text, name) => text.replace(`:${name}`, encodeURIComponent(String(input[name]))),
    path as string
  )
  const search = new URLSearchParams()
  for (const name of Object.keys(query)) if (input[name] !== undefined) search.set(name, String(input[name]))
  return { method, target: search.size === 0 ? filledPath : `${filledPath}?${search}` }
}

/** Sends a request to a running service. Never fails: if the service does not respond, `isOk` is false. */
export const callService = (
  { apiKey, url }: ServiceAddress,
  endpoint: AnyEndpoint,
  input: Readonly<Record<string, unknown>>
): Effect.Effect<ServiceResponse> => {
  const { method, target } = requestOf(endpoint, input)
  const failedCall = (cause: unknown): ServiceResponse => ({
    isOk: false,
    text: `The service at ${url} did not respond: ${cause instanceof Error ? cause.message : cause}. Check that the service is running, and check --url.`
  })
  return Effect.tryPromise({
    try: async (signal) => {
      const response = await fetch(url.replace(/\/+$/u, "") + target, {
        method,
        headers: {
          "x-api-key": Redacted.value(apiKey),
          ...(method === "POST" ? { "idempotency-key": randomUUID() } : {}),
          ...(input.body === undefined ? {} : { "content-type": "application/json" })
        },
        ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
      })
      return { isOk: response.ok, text: await response.text() }
    },
    catch: failedCall
  }).pipe(Effect.catch(Effect.succeed))
}
