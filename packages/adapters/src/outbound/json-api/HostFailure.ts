import { retryAfterMs } from "./retryAfterMs.ts"

/**
 * FAILED: no usable response. LIMITED: rejected by the host's rate limit. BUSY: not sent, because this process has
 * queued too many requests or has opened the circuit. TOO_HEAVY: rejected because of the request itself, or the
 * response is too slow or too large because of the request.
 */
export type HostFailureKind = "FAILED" | "LIMITED" | "BUSY" | "TOO_HEAVY"

/** A host returned no usable response. A retry or another host may succeed. The message contains no URL. */
export class HostFailure extends Error {
  override name = "HostFailure"
  readonly kind: HostFailureKind
  /** Pause that the host requests, in milliseconds; null if it requests none. */
  readonly retryAfterMs: number | null
  /**
   * Whether the same request may succeed a moment later: the connection was lost, or the server is busy or restarting.
   */
  readonly isTransient: boolean

  constructor(
    message: string,
    kind: HostFailureKind = "FAILED",
    { isTransient = false, retryAfterMs = null }: Partial<Pick<HostFailure, "isTransient" | "retryAfterMs">> = {}
  ) {
    super(message)
    this.kind = kind
    this.retryAfterMs = retryAfterMs
    this.isTransient = isTransient
  }
}

/** The response is larger than the limit because of the request, so a retry can't succeed. */
export class ResponseTooLarge extends HostFailure {
  override name = "ResponseTooLarge"

  constructor(message: string) {
    super(message, "TOO_HEAVY")
  }
}

const TOO_MANY_REQUESTS = 429
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([TOO_MANY_REQUESTS, 500, 502, 503, 504])

export const hostFailureFromStatus = (status: number, retryAfter: string | null): HostFailure =>
  new HostFailure(
    status === 200 ? "its response is not JSON-RPC" : `it responded with HTTP status ${status}`,
    status === TOO_MANY_REQUESTS ? "LIMITED" : "FAILED",
    { isTransient: TRANSIENT_STATUSES.has(status), retryAfterMs: retryAfterMs(retryAfter, Date.now()) }
  )

/**
 * Builds the failure for a response that is larger than the limit. `requestFault` states what is wrong with the request;
 * null if the host is at fault.
 */
export const hostFailureFromExcess = (maxBytes: number, requestFault: string | null): HostFailure => {
  const excess = `a response of more than ${maxBytes / 1e6} MB`
  return requestFault === null ? new HostFailure(excess) : new ResponseTooLarge(`${requestFault} (${excess})`)
}

const hostFailureFromTimeout = (timeoutMs: number, requestFault: string | null): HostFailure => {
  const excess = `no response within ${timeoutMs} ms`
  return requestFault === null ? new HostFailure(excess) : new HostFailure(`${requestFault} (${excess})`, "TOO_HEAVY")
}

export const hostFailureFromThrown = (
  thrown: unknown,
  timeoutMs: number,
  requestFault: string | null = null
): HostFailure => {
  if (thrown instanceof HostFailure) return thrown
  if (!(thrown instanceof Error)) return new HostFailure("the request failed")
  if (thrown.name === "TimeoutError") return hostFailureFromTimeout(timeoutMs, requestFault)
  const { cause } = thrown
  // The code of undici's cause is the reason (ECONNREFUSED, ENOTFOUND, ...). The cause's message is omitted, because it
  // contains the host.
  const code = cause instanceof Error && "code" in cause && typeof cause.code === "string" ? ` (${cause.code})` : ""
  return new HostFailure(`the connection failed${code}`, "FAILED", { isTransient: true })
}
