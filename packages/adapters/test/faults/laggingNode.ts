/** Makes an up-to-date node appear to be some blocks behind, by changes of the requests to it and of its responses. */

interface RpcBody {
  readonly id: unknown
  readonly method: string
  readonly params?: ReadonlyArray<unknown>
}

interface RpcResponse {
  readonly id: unknown
  readonly result?: unknown
}

const toQuantity = (value: number): string => `0x${value.toString(16)}`

const isHeadTag = (value: unknown): boolean => value === "latest" || value === "pending"

/** Replaces the blocks `latest` and `pending` in a request with an earlier block. */
export const withEarlierHead = (request: RpcBody, head: number): RpcBody & { readonly jsonrpc: "2.0" } => {
  const replaceHeadTag = (param: unknown): unknown => {
    if (isHeadTag(param)) return toQuantity(head)
    if (typeof param !== "object" || param === null || Array.isArray(param) || !("toBlock" in param)) return param
    return isHeadTag(param.toBlock) ? { ...param, toBlock: toQuantity(head) } : param
  }
  return { ...request, jsonrpc: "2.0", params: (request.params ?? []).map(replaceHeadTag) }
}

/**
 * Replaces the head in a response. Removes a block, a transaction or a receipt after `head`, as if it did not exist
 * yet.
 */
export const laggingResponse = (method: string, response: RpcResponse, head: number): RpcResponse => {
  if (method === "eth_blockNumber") return { ...response, result: toQuantity(head) }
  const { result } = response
  if (typeof result !== "object" || result === null) return response
  const block = "blockNumber" in result ? result.blockNumber : "number" in result ? result.number : null
  return block !== null && Number(block) > head ? { ...response, result: null } : response
}
