/**
 * FAILED: it gave no usable answer. LIMITED: it limits the rate.
 * BUSY: too many of our own requests wait for it, which says nothing about the host.
 * TOO_HEAVY: the answer takes too long or is too large because of what was asked.
 */
export type HostFailureKind = "FAILED" | "LIMITED" | "BUSY" | "TOO_HEAVY"

/** A host gave no usable answer. Another host, or a later attempt, may. The message has no URL in it. */
export class HostFailure extends Error {
  override name = "HostFailure"
  readonly kind: HostFailureKind
  /** The pause that the host asks for; null when it asks for none. */
  readonly retryAfterMs: number | null

  constructor(message: string, kind: HostFailureKind = "FAILED", retryAfterMs: number | null = null) {
    super(message)
    this.kind = kind
    this.retryAfterMs = retryAfterMs
  }
}

const TOO_MANY_REQUESTS = 429

/** The HTTP header: seconds, or a date. */
const retryAfterMsOf = (header: string | null): number | null => {
  if (header === null) return null
  const milliseconds = /^\s*\d+\s*$/u.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isNaN(milliseconds) ? null : Math.max(0, milliseconds)
}

export const hostFailureFromStatus = (status: number, retryAfter: string | null): HostFailure =>
  new HostFailure(
    status === 200 ? "its answer is no JSON-RPC" : `it answered with HTTP status ${status}`,
    status === TOO_MANY_REQUESTS ? "LIMITED" : "FAILED",
    retryAfterMsOf(retryAfter)
  )

/** How an answer that exceeds a limit of the exchange is seen. */
export type Exceeding = Extract<HostFailureKind, "FAILED" | "TOO_HEAVY">

export const hostFailureFromExcess = (excess: string, exceeding: Exceeding): HostFailure =>
  new HostFailure(
    exceeding === "TOO_HEAVY" ? `it can't trace the request, which may call too many contracts (${excess})` : excess,
    exceeding
  )

export const hostFailureFromThrown = (thrown: unknown, timeoutMs: number, exceeding: Exceeding): HostFailure => {
  if (thrown instanceof HostFailure) return thrown
  if (!(thrown instanceof Error)) return new HostFailure("the request failed")
  if (thrown.name === "TimeoutError") return hostFailureFromExcess(`no answer within ${timeoutMs} ms`, exceeding)
  const { cause } = thrown
  // The code of undici's cause is the reason (ECONNREFUSED, ENOTFOUND, ...). Its message is left out: it names the host.
  const code = cause instanceof Error && "code" in cause && typeof cause.code === "string" ? ` (${cause.code})` : ""
  return new HostFailure(`the connection failed${code}`)
}
