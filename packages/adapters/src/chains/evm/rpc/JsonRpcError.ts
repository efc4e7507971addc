import type { HexBytes } from "@countersign/core/foundation/primitives"
import { BaseError, type Hex } from "viem"
import { bytesFromHex } from "../hex.ts"

/**
 * The host responded with an error. A retry or another host would usually return the same error; `isNodeSpecific` finds
 * the exceptions.
 */
export class JsonRpcError extends BaseError {
  override name = "JsonRpcError"
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** Extracts the host's error from viem's wrapper errors; null if the host did not respond. */
export const jsonRpcErrorIn = (thrown: unknown): JsonRpcError | null => {
  let error = thrown
  while (error instanceof Error) {
    if (error instanceof JsonRpcError) return error
    error = error.cause
  }
  return null
}

/** Returns the return data of a reverted `eth_call`. Some nodes put them in `data`, others one level deeper. */
export const revertDataOf = (error: JsonRpcError): string | null => {
  const { data } = error
  if (typeof data === "string") return /0x[a-f0-9]*$/iu.exec(data)?.[0] ?? null
  if (typeof data === "object" && data !== null && "data" in data && typeof data.data === "string") return data.data
  return null
}

/** Error codes for an unsupported method and for internal errors. */
const HOST_ERROR_CODES: ReadonlySet<number> = new Set([-32601, -32603])
/** Error messages of a host that does not have the block or the state. */
const HOST_ERRORS =
  /header not found|unknown block|block not found|missing trie node|state .*(?:(?:un|not )available|pruned)|no state available|due to pruning|archive/iu

/** Whether another host may succeed, because the error concerns the host and not the request. */
export const isNodeSpecific = (error: JsonRpcError): boolean =>
  revertDataOf(error) === null &&
  (HOST_ERROR_CODES.has(error.code) || HOST_ERRORS.test(error.shortMessage) || isMethodNotServed(error))

/** EIP-1474: method not found, method not supported. */
const NOT_SERVED_CODES: ReadonlySet<number> = new Set([-32601, -32004])
/** Error messages of hosted nodes for methods that the customer's plan does not include. */
const NOT_SERVED =
  /\bmethod\b.*(?:not (?:found|available|supported|allowed|enabled|whitelisted|exist)|does ?n[o']t exist|disabled|unsupported|blocked|forbidden|upgrade)|(?:unsupported|unknown|disallowed) method|(?:debug_\w+|eth_simulateV1).*\b(?:not|upgrade|plan|tier|disabled)\b/iu

/** Whether the queried hosts do not support the method, or do not allow it for this client. */
export const isMethodNotServed = (thrown: unknown): boolean => {
  const error = jsonRpcErrorIn(thrown)
  return error !== null && (NOT_SERVED_CODES.has(error.code) || NOT_SERVED.test(error.shortMessage))
}

/** Returns the return data of a reverted call from an error of any type; null if it contains none. */
export const revertDataIn = (thrown: unknown): HexBytes | null => {
  const error = jsonRpcErrorIn(thrown)
  const data = error === null ? null : revertDataOf(error)
  return data === null ? null : bytesFromHex(data as Hex)
}
