/** What one client's connections may take of this process, whether or not they ever become requests. */
export interface ConnectionLimits {
  /** Open at once; what comes beyond them is refused. */
  readonly connectionsMax: number
  readonly headersMaxBytes: number
  readonly headerFieldsMax: number
  /** For the headers to arrive, from the first byte of a request or from connecting. */
  readonly headersTimeoutMs: number
  /** For the whole request to arrive. */
  readonly receiveTimeoutMs: number
  /** For an answer to be taken. */
  readonly sendTimeoutMs: number
  /** Between two requests. */
  readonly keepAliveTimeoutMs: number
}

export const defaultConnectionLimits: ConnectionLimits = {
  connectionsMax: 10_000,
  headersMaxBytes: 16 * 1024,
  headerFieldsMax: 100,
  headersTimeoutMs: 10_000,
  receiveTimeoutMs: 20_000,
  sendTimeoutMs: 30_000,
  keepAliveTimeoutMs: 5_000
}
