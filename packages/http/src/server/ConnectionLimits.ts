/** The limits of connections, with or without requests. */
export interface ConnectionLimits {
  /** Maximum open connections, in fair shares for client addresses. Further connections are rejected. */
  readonly connectionsMax: number
  readonly headersMaxBytes: number
  readonly headerFieldsMax: number
  /** Timeout for the headers, from the start of the connection or the first byte of the request. */
  readonly headersTimeoutMs: number
  /** Timeout for the whole request. */
  readonly receiveTimeoutMs: number
  /** Timeout for the client to read a response. */
  readonly sendTimeoutMs: number
  /** Timeout between two requests on one connection. */
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
