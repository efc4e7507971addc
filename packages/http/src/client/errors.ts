import type { ErrorBody, ErrorId, RequestProblem } from "./resources.ts"

/**
 * `NO_ANSWER`: the service did not respond, or the response is not from the service. `WAIT_TIMEOUT`: `wait` reached its
 * `timeoutMs`, and the transaction continues.
 */
type ClientErrorId = ErrorId | "NO_ANSWER" | "WAIT_TIMEOUT"

interface ErrorOptions {
  readonly id: ClientErrorId
  readonly message: string
  /** The HTTP status; null if there was no response, and for `WAIT_TIMEOUT`. */
  readonly status: number | null
  readonly body?: ErrorBody | undefined
  readonly docUrl?: string | undefined
  /** Seconds after which the request may be repeated. */
  readonly retryAfter?: number | null
  readonly cause?: unknown
}

/**
 * Represents every failure of a client call, except a cancellation by the caller. `id` identifies the error, and
 * `message` describes it.
 */
export class CountersignError extends Error {
  readonly id: ClientErrorId
  readonly status: number | null
  /** The invalid or missing fields that the error body lists; empty if it lists none. */
  readonly problems: ReadonlyArray<RequestProblem>
  /** Link to the error's section in the API reference; null if the error is not from the service. */
  readonly docUrl: string | null
  /** Seconds after which the request may be repeated; null if the response specifies no delay. */
  readonly retryAfter: number | null
  /** The id of the request in the service's log; null if the error is not from the service. */
  readonly traceId: string | null
  readonly body: ErrorBody | null

  constructor({ body, cause, docUrl, id, message, retryAfter, status }: ErrorOptions) {
    super(message, { cause })
    this.name = new.target.name
    this.id = id
    this.status = status
    this.problems = body?.errors ?? []
    this.docUrl = docUrl ?? null
    this.retryAfter = retryAfter ?? null
    this.traceId = body?.traceId ?? null
    this.body = body ?? null
  }
}

/** The request is invalid. `problems` lists the reasons by field. */
export class BadRequestError extends CountersignError {}
/** The API key is not valid, or lacks a permission. */
export class NotAllowedError extends CountersignError {}
/**
 * The quote or its user operation has expired, or its EIP-7702 authorization has an old nonce. Request a new quote and
 * sign it.
 */
export class QuoteExpiredError extends CountersignError {}
/**
 * The operation would revert now, or return less than quoted, so the service did not send it. `body.revertReason`
 * contains the reason if it would revert. If prices have changed, request a new quote. If a balance is too low, fund
 * the wallet first.
 */
export class QuoteStaleError extends CountersignError {}
/** Too many requests, or too much unpaid gas. Retry after `retryAfter`. */
export class RateLimitError extends CountersignError {}
/** The service could not be reached, did not respond in time, or failed. The request may have taken effect. */
export class UnavailableError extends CountersignError {}

const expiredIds: ReadonlySet<string> = new Set(["QUOTE_EXPIRED", "USER_OPERATION_EXPIRED", "AUTHORIZATION_STALE"])

const classOf = (id: string, status: number): typeof CountersignError => {
  if (id === "BAD_REQUEST") return BadRequestError
  if (expiredIds.has(id)) return QuoteExpiredError
  if (id === "QUOTE_STALE") return QuoteStaleError
  if (status === 401 || id === "FORBIDDEN_SCOPE") return NotAllowedError
  if (status === 429) return RateLimitError
  return status > 501 || status === 408 || id === "INTERNAL_SERVER_ERROR" || id === "NO_ANSWER"
    ? UnavailableError
    : CountersignError
}

const retryAfterOf = (headers: Headers): number | null => {
  const seconds = Number.parseInt(headers.get("retry-after") ?? "", 10)
  return Number.isNaN(seconds) ? null : seconds
}

/** Parses the text of a response. An empty text is `undefined`. Null if the text is not JSON. */
export const parseJsonOrNull = (text: string) => {
  try {
    return { json: text === "" ? undefined : JSON.parse(text) }
  } catch {
    return null
  }
}

const bodyOrNull = (text: string): ErrorBody | null => {
  const body = parseJsonOrNull(text)?.json
  return typeof body?.id === "string" ? body : null
}

/**
 * Converts an error response to an error. If the body is not from the service (for example, a proxy wrote it), the id
 * is `NO_ANSWER`.
 */
export const errorFromResponse = (url: string, { headers, status }: Response, text: string): CountersignError => {
  const body = bodyOrNull(text)
  const id = body?.id ?? "NO_ANSWER"
  const retryAfter = retryAfterOf(headers)
  return new (classOf(id, status))(
    body === null
      ? {
          id,
          status,
          retryAfter,
          message: `${url} responded with ${status}, but the body is not from Countersign. Check the URL.`
        }
      : { id, status, retryAfter, body, message: body.message, docUrl: url + body.doc_url }
  )
}

export const waitTimeoutError = (timeoutMs: number): CountersignError =>
  new CountersignError({
    id: "WAIT_TIMEOUT",
    status: null,
    message: `The transaction did not end within ${timeoutMs} ms, and is still pending. Call \`wait\` again.`
  })

export const noAnswerError = (url: string, cause: unknown): UnavailableError =>
  new UnavailableError({
    id: "NO_ANSWER",
    status: null,
    message: `${url} did not respond: ${cause instanceof Error ? cause.message : cause}`,
    cause
  })
