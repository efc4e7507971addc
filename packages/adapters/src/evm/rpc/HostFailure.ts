/** A host gave no usable answer. Another host, or a later attempt, may. The message has no URL in it. */
export class HostFailure extends Error {
  override name = "HostFailure"
  readonly retryAfterMs: number | null

  constructor(message: string, retryAfterMs: number | null = null) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}

/** `retryAfter` is the HTTP header, in seconds; its date form is not in use among RPC providers. */
export const hostFailureFromStatus = (status: number, retryAfter: string | null): HostFailure => {
  const seconds = Number(retryAfter ?? Number.NaN)
  return new HostFailure(
    status === 200 ? "its answer is no JSON-RPC" : `it answered with HTTP status ${status}`,
    Number.isFinite(seconds) ? seconds * 1000 : null
  )
}

export const hostFailureFromThrown = (thrown: unknown, timeoutMs: number): Error => {
  if (!(thrown instanceof Error)) return new HostFailure("the request failed")
  if (thrown.name === "TimeoutError") return new HostFailure(`no answer within ${timeoutMs} ms`)
  if (thrown.name !== "TypeError") return thrown
  const { cause } = thrown
  // undici tells the reason (ECONNREFUSED, ENOTFOUND, ...) in the cause's code; its message has the host in it.
  const code = cause instanceof Error && "code" in cause && typeof cause.code === "string" ? ` (${cause.code})` : ""
  return new HostFailure(`the connection failed${code}`)
}
