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
