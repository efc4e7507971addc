import { assert } from "@effect/vitest"

/** Sends a JSON-RPC request directly to a sandbox chain. */
export const askChain = async (rpcUrl: string, method: string, ...params: ReadonlyArray<unknown>) => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
  const headers = { "content-type": "application/json" }
  const response = await fetch(rpcUrl, { method: "POST", headers, body })
  // biome-ignore lint/suspicious/noExplicitAny: the type of a node's response depends on the method.
  const rpcResponse = (await response.json()) as any
  assert.isUndefined(rpcResponse.error, `${method}: ${JSON.stringify(rpcResponse.error)}`)
  return rpcResponse.result
}
