import { assert } from "@effect/vitest"

/** Asks a sandbox chain directly, past the service. */
export const askChain = async (rpcUrl: string, method: string, ...params: ReadonlyArray<unknown>) => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
  const headers = { "content-type": "application/json" }
  const response = await fetch(rpcUrl, { method: "POST", headers, body })
  // biome-ignore lint/suspicious/noExplicitAny: what a node answers depends on the method.
  const answer = (await response.json()) as any
  assert.isUndefined(answer.error, `${method}: ${JSON.stringify(answer.error)}`)
  return answer.result
}
