/** Limits that apply to connections, whether or not they carry a request. */
export interface ConnectionLimits {
  /** Maximum number of open connections, shared fairly among client addresses. Further connections are rejected. */
  readonly connectionsMax: number
  readonly headersMaxBytes: number
  readonly headerFieldsMax: number
  /**
   * Timeout in milliseconds for receiving the headers, from the start of the connection or the first byte of the
   * request.
   */
  readonly headersTimeoutMs: number
  /** Timeout for receiving a complete request. Does not apply to a body with its own minimum rate. */
  readonly receiveTimeoutMs: number
  /** Timeout for the client to read a response, or to read more of a streamed response. */
  readonly sendTimeoutMs: number
  /** Timeout of an idle connection between two requests. */
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
