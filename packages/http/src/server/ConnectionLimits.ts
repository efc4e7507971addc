/** The limits of connections, with or without a request. */
export interface ConnectionLimits {
  /** Open at the same time, in fair shares for client addresses; every further one is refused. */
  readonly connectionsMax: number
  readonly headersMaxBytes: number
  readonly headerFieldsMax: number
  /** Time for the headers to arrive, from the start of the connection or from the first byte of the request. */
  readonly headersTimeoutMs: number
  /** Time for the whole request to arrive. */
  readonly receiveTimeoutMs: number
  /** Time for the client to read an answer. */
  readonly sendTimeoutMs: number
  /** Time between two requests on one connection. */
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
