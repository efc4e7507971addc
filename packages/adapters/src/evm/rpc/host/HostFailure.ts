/**
 * FAILED: it gave no usable answer. LIMITED: it limits the rate.
 * BUSY: too many of our own requests wait for it, which says nothing about the host.
 */
export type HostFailureKind = "FAILED" | "LIMITED" | "BUSY"

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

export const hostFailureFromThrown = (thrown: unknown, timeoutMs: number): HostFailure => {
  if (thrown instanceof HostFailure) return thrown
  if (!(thrown instanceof Error)) return new HostFailure("the request failed")
  if (thrown.name === "TimeoutError") return new HostFailure(`no answer within ${timeoutMs} ms`)
  const { cause } = thrown
  // The code of undici's cause is the reason (ECONNREFUSED, ENOTFOUND, ...). Its message is left out: it names the host.
  const code = cause instanceof Error && "code" in cause && typeof cause.code === "string" ? ` (${cause.code})` : ""
  return new HostFailure(`the connection failed${code}`)
}
