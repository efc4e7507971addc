import type { HexBytes } from "@countersign/core/foundation/primitives"
import { BaseError, type Hex } from "viem"
import { bytesFromHex } from "../hex.ts"

/** The host's answer was an error: asking another host, or again, would give the same. */
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

/** The host's own error inside the errors that viem wraps around it; null when the host gave no answer. */
export const jsonRpcErrorIn = (thrown: unknown): JsonRpcError | null => {
  let error = thrown
  while (error instanceof Error) {
    if (error instanceof JsonRpcError) return error
    error = error.cause
  }
  return null
}

/** The return data of a reverted `eth_call`: some nodes send it as `data`, others one level deeper. */
export const revertDataOf = (error: JsonRpcError): string | null => {
  const { data } = error
  if (typeof data === "string") return /0x[a-f0-9]*$/iu.exec(data)?.[0] ?? null
  if (typeof data === "object" && data !== null && "data" in data && typeof data.data === "string") return data.data
  return null
}

/** The host does not serve the method, or has an internal error. */
const HOST_ERROR_CODES: ReadonlySet<number> = new Set([-32601, -32603])
/** The host does not have the block or the state. */
const HOST_ERRORS =
  /header not found|unknown block|block not found|missing trie node|state .*(?:(?:un|not )available|pruned)|no state available|due to pruning|archive/iu

/** Whether the error is about the host and not about the request: then another host may answer. */
export const mayDifferElsewhere = (error: JsonRpcError): boolean =>
  revertDataOf(error) === null &&
  (HOST_ERROR_CODES.has(error.code) || HOST_ERRORS.test(error.shortMessage) || isMethodNotServed(error))

/** EIP-1474: method not found, method not supported. */
const NOT_SERVED_CODES: ReadonlySet<number> = new Set([-32601, -32004])
/** In the words of hosted nodes, which answer so for methods that a plan does not have. */
const NOT_SERVED =
  /\bmethod\b.*(?:not (?:found|available|supported|allowed|enabled|whitelisted|exist)|does ?n[o']t exist|disabled|unsupported|blocked|forbidden|upgrade)|(?:unsupported|unknown|disallowed) method|(?:debug_\w+|eth_simulateV1).*\b(?:not|upgrade|plan|tier|disabled)\b/iu

/** Whether the hosts that were asked do not serve the method, or not to us. */
export const isMethodNotServed = (thrown: unknown): boolean => {
  const error = jsonRpcErrorIn(thrown)
  return error !== null && (NOT_SERVED_CODES.has(error.code) || NOT_SERVED.test(error.shortMessage))
}

/** The return data of a call that reverted, in an error of any kind; null where it has none. */
export const revertDataIn = (thrown: unknown): HexBytes | null => {
  const error = jsonRpcErrorIn(thrown)
  const data = error === null ? null : revertDataOf(error)
  return data === null ? null : bytesFromHex(data as Hex)
}
