import { BaseError } from "viem"

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

/** The host's own error inside whatever viem wrapped around it, or null where there was no answer. */
export const jsonRpcErrorIn = (thrown: unknown): JsonRpcError | null => {
  let error = thrown
  while (error instanceof Error) {
    if (error instanceof JsonRpcError) return error
    error = error.cause
  }
  return null
}

/** The return data of a reverted `eth_call`: nodes give it as `data`, or one level deeper. */
export const revertDataOf = (error: JsonRpcError): string | null => {
  const { data } = error
  if (typeof data === "string") return /0x[a-f0-9]*$/iu.exec(data)?.[0] ?? null
  if (typeof data === "object" && data !== null && "data" in data && typeof data.data === "string") return data.data
  return null
}

/** A method that the host does not serve, and its own faults; and blocks or states that it does not have. */
const HOST_ERROR_CODES: ReadonlySet<number> = new Set([-32601, -32603])
const HOST_ERRORS = /header not found|unknown block|block not found|missing trie node|state .*(?:unavailable|pruned)/iu

/** Whether the error tells of the host rather than of the request, so that another host may answer it. */
export const mayDifferElsewhere = (error: JsonRpcError): boolean =>
  revertDataOf(error) === null && (HOST_ERROR_CODES.has(error.code) || HOST_ERRORS.test(error.shortMessage))
