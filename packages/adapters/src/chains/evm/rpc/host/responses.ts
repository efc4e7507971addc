import { HostFailure } from "../../../../outbound/json-api/index.ts"
import { JsonRpcError } from "../JsonRpcError.ts"
import { hasFormOf, isTrace } from "../nodeResponses.ts"

export interface JsonRpcRequest {
  readonly method: string
  readonly params: unknown
}

export interface RpcResponse {
  readonly id?: unknown
  readonly result?: unknown
  readonly error?: { readonly code?: unknown; readonly message?: unknown; readonly data?: unknown } | null
}

const isResponse = (value: unknown): value is RpcResponse => typeof value === "object" && value !== null

/** Parses the responses in an HTTP body; null if it is not JSON-RPC. */
export const parseResponses = (text: string): ReadonlyArray<RpcResponse> | null => {
  try {
    const value: unknown = JSON.parse(text)
    const responses = Array.isArray(value) ? value : [value]
    return responses.length > 0 && responses.every(isResponse) ? responses : null
  } catch {
    return null
  }
}

/**
 * Error codes of rate limits in responses with status 200. Code -32005 is from EIP-1474; the other codes are used by
 * two large providers.
 */
const RATE_LIMIT_CODES: ReadonlySet<number> = new Set([429, -32005, -32007])

const failureIn = ({ error }: RpcResponse): HostFailure | JsonRpcError | null => {
  if (!error) return null
  const code = typeof error.code === "number" ? error.code : 0
  const message = typeof error.message === "string" ? error.message : "no message"
  return RATE_LIMIT_CODES.has(code)
    ? new HostFailure(`it limits the rate (${message})`, "LIMITED")
    : new JsonRpcError(code, message, error.data)
}

/**
 * Returns the failure of the entire HTTP request. A single error without an id concerns all requests of the batch: for
 * example, the batch is too long, or a gateway lost its node.
 */
export const refusalOfAll = (responses: ReadonlyArray<RpcResponse>): HostFailure | null => {
  const [only] = responses
  if (responses.length !== 1 || !only?.error || (only.id !== undefined && only.id !== null)) return null
  const failure = failureIn(only)
  return failure instanceof HostFailure ? failure : new HostFailure(`it rejected the request (${only.error.message})`)
}

const METHOD_NOT_FOUND = -32601

/** Returns the result of a request, or its failure. */
export const outcomeOf = (
  { method, params }: JsonRpcRequest,
  response: RpcResponse | undefined
): { readonly result: unknown } | HostFailure | JsonRpcError => {
  if (response === undefined) return new HostFailure("its response lacks a result")
  const failure = failureIn(response)
  if (failure !== null) return failure
  const { result } = response
  if (result === undefined) return new HostFailure("its response has neither a result nor an error")
  if (hasFormOf(method, params, result)) return { result }
  const complaint = `its response to ${method} is not valid`
  // A node without the tracer may respond in another format. Other requests to the node are not affected.
  return isTrace(method) ? new JsonRpcError(METHOD_NOT_FOUND, complaint, undefined) : new HostFailure(complaint)
}
