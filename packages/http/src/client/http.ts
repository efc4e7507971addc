import { type CountersignError, errorFromResponse, noAnswerError, parseJsonOrNull } from "./errors.ts"

export interface ClientOptions {
  /** The base URL of the service, such as `https://wallets.example.com`. */
  readonly url: string
  readonly apiKey: string
  /** Timeout of one attempt in milliseconds. Default: 30,000. */
  readonly timeout?: number
  /**
   * Maximum number of retries of a failed request. The client retries only errors that may be temporary. Default: 4.
   */
  readonly retries?: number
  /** Replaces the platform's `fetch`. */
  readonly fetch?: typeof fetch
}

export interface CallOptions {
  /** Cancels the call, including its retries and delays. */
  readonly signal?: AbortSignal | undefined
  /**
   * Idempotency key of the caller, to repeat a call after a restart of the caller's process. Only POST requests send
   * it. Default: a new key per call.
   */
  readonly idempotencyKey?: string | undefined
}

export interface WaitOptions extends CallOptions {
  /** Milliseconds after which the call fails with WAIT_TIMEOUT. Default: no timeout. */
  readonly timeoutMs?: number
  /** Milliseconds between two polls. Default: 1,000. */
  readonly interval?: number
}

export interface Call extends CallOptions {
  readonly body?: unknown
  readonly query?: object
}

/** Maximum delay between two attempts. The client does not retry if the service requests a longer delay. */
const MAX_WAIT_MS = 20_000

const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("")

export const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop)
      resolve()
    }, ms)
    signal?.addEventListener("abort", stop, { once: true })
  })

const queryText = (query: object): string => {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(String(value))}`]
  )
  return parameters.length === 0 ? "" : `?${parameters.join("&")}`
}

/** Returns whether the same request may succeed soon. A rejection of the request itself is final. */
export const isWorthRetrying = ({ id, status }: CountersignError): boolean =>
  id === "NO_ANSWER" ||
  id === "INTERNAL_SERVER_ERROR" ||
  id === "IDEMPOTENT_REQUEST_RUNNING" ||
  status === 429 ||
  status === 408 ||
  status === 502 ||
  status === 503

/**
 * Returns the milliseconds before the next attempt: exponential backoff with jitter, or the delay that the service
 * requests if that is longer.
 */
export const retryDelayMs = ({ retryAfter }: CountersignError, attempt: number): number =>
  Math.max((retryAfter ?? 0) * 1_000, Math.min(8_000, 250 * 2 ** attempt) * (0.5 + Math.random() / 2))

/** Serializes bigints as text. viem uses bigints, but JSON does not support them. */
const bigintAsText = (_key: string, value: unknown): unknown => (typeof value === "bigint" ? String(value) : value)

/** Returns the URL without trailing slashes. Throws if it is not an http or https URL. */
const serviceUrl = (url: string): string => {
  if (/^https?:/iu.test(url) && URL.canParse(url)) return url.replace(/\/+$/u, "")
  throw new TypeError(`\`url\` is "${url}", but must be an http or https URL, such as http://127.0.0.1:3000`)
}

export const RETRIES = 4
const TIMEOUT_MS = 30_000

/** Returns the caller's `fetch`, otherwise a function that reads the global `fetch` at each request. */
export const fetchOf = (options: Pick<ClientOptions, "fetch">): typeof fetch =>
  options.fetch ?? ((input, init) => fetch(input, init))

/** Opens a streamed response. The timeout covers only the time until the response begins. */
export type Open = (
  path: string,
  call: { readonly query: object; readonly headers: Readonly<Record<string, string>>; readonly signal: AbortSignal }
) => Promise<Response>

export const makeOpen = ({ apiKey, timeout = TIMEOUT_MS, ...options }: ClientOptions): Open => {
  const base = serviceUrl(options.url)
  const request = fetchOf(options)
  return async (path, { headers, query, signal }) => {
    const timeoutController = new AbortController()
    const timer = setTimeout(() => timeoutController.abort(new Error(`no response within ${timeout} ms`)), timeout)
    let response: Response
    try {
      response = await request(base + path + queryText(query), {
        headers: { "x-api-key": apiKey, ...headers },
        signal: AbortSignal.any([signal, timeoutController.signal])
      })
    } catch (cause) {
      throw noAnswerError(base, cause)
    } finally {
      clearTimeout(timer)
    }
    if (response.ok) return response
    throw errorFromResponse(base, response, await response.text())
  }
}

export type Send = <A>(method: string, path: string, call?: Call) => Promise<A>

/**
 * Sends requests, and retries requests whose failure may be temporary. Every attempt of a POST sends the same
 * idempotency key, so that the service executes it only once. Requests with other methods are idempotent.
 */
export const makeSend = ({ apiKey, retries = RETRIES, timeout = TIMEOUT_MS, ...options }: ClientOptions): Send => {
  const base = serviceUrl(options.url)
  const request = fetchOf(options)

  const attempt = async (url: string, init: RequestInit, signal: AbortSignal | undefined) => {
    const timeoutSignal = AbortSignal.timeout(timeout)
    let response: Response
    let text: string
    try {
      response = await request(url, {
        ...init,
        signal: signal === undefined ? timeoutSignal : AbortSignal.any([signal, timeoutSignal])
      })
      text = await response.text()
    } catch (cause) {
      signal?.throwIfAborted()
      throw noAnswerError(base, cause)
    }
    const parsed = response.ok ? parseJsonOrNull(text) : null
    if (parsed === null) throw errorFromResponse(base, response, text)
    return parsed.json
  }

  return async (method, path, { body, idempotencyKey, query = {}, signal } = {}) => {
    const headers = {
      "x-api-key": apiKey,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(method === "POST" ? { "idempotency-key": idempotencyKey ?? randomKey() } : {})
    }
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body, bigintAsText) }) }
    for (let attempts = 0; ; attempts++) {
      try {
        return await attempt(base + path + queryText(query), init, signal)
      } catch (error) {
        signal?.throwIfAborted()
        const failure = error as CountersignError
        const ms = retryDelayMs(failure, attempts)
        if (attempts >= retries || !isWorthRetrying(failure) || ms > MAX_WAIT_MS) throw failure
        await pause(ms, signal)
      }
    }
  }
}
