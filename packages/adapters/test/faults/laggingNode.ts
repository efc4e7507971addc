/** The responses of a node that lags behind, made from those of a current node. */

interface RpcBody {
  readonly id: unknown
  readonly method: string
  readonly params?: ReadonlyArray<unknown>
}

interface RpcResponse {
  readonly id: unknown
  readonly result?: unknown
}

const quantity = (value: number): string => `0x${value.toString(16)}`

const isHeadTag = (value: unknown): boolean => value === "latest" || value === "pending"

/** The request as of an earlier head: the `latest` block is replaced by that head. */
export const requestBehind = (request: RpcBody, head: number): RpcBody & { readonly jsonrpc: "2.0" } => {
  const asHead = (param: unknown): unknown => {
    if (isHeadTag(param)) return quantity(head)
    if (typeof param !== "object" || param === null || Array.isArray(param) || !("toBlock" in param)) return param
    return isHeadTag(param.toBlock) ? { ...param, toBlock: quantity(head) } : param
  }
  return { ...request, jsonrpc: "2.0", params: (request.params ?? []).map(asHead) }
}

/** The response as of an earlier head: data of a later block are reported as missing. */
export const laggingResponse = (method: string, answer: RpcResponse, head: number): RpcResponse => {
  if (method === "eth_blockNumber") return { ...answer, result: quantity(head) }
  const { result } = answer
  if (typeof result !== "object" || result === null) return answer
  const block = "blockNumber" in result ? result.blockNumber : "number" in result ? result.number : null
  return block !== null && Number(block) > head ? { ...answer, result: null } : answer
}
