import * as responses from "./esploraResponses.ts"
import type { FeeLevel } from "./FeeLevel.ts"
import { NodeRefusal, type RegtestNode } from "./RegtestNode.ts"

/** A route of Esplora's API. A string response is sent as plain text, any other value as JSON. */
type Route = readonly [pattern: RegExp, answer: (...parts: ReadonlyArray<string>) => unknown]

const { EsploraRefusal } = responses

const requireFound = <A>(value: A | undefined, name: string): A => {
  if (value === undefined) throw new EsploraRefusal(404, `${name} not found`)
  return value
}

/** Returns the GET routes of Esplora's HTTP API. */
const readRoutes = ({ index }: RegtestNode, fees: FeeLevel): ReadonlyArray<Route> => {
  const entry = (txid: string) => requireFound(index.get(txid), "Transaction")
  return [
    [/^\/blocks\/tip\/height$/u, () => String(index.tip.height)],
    [/^\/blocks\/tip\/hash$/u, () => index.tip.hash],
    [/^\/block-height\/(\d{1,9})$/u, (height) => requireFound(index.block(Number(height)), "Block").hash],
    [/^\/block\/([\da-f]{64})$/u, (hash) => responses.blockResponse(index, hash!)],
    [
      /^\/block\/([\da-f]{64})\/txs(?:\/(\d+))?$/u,
      (hash, start = "0") => responses.blockTransactionsResponse(index, hash!, Number(start))
    ],
    [/^\/fee-estimates$/u, () => fees.estimates],
    [/^\/tx\/([\da-f]{64})$/u, (txid) => responses.transactionResponse(index, entry(txid!))],
    [/^\/tx\/([\da-f]{64})\/hex$/u, (txid) => entry(txid!).transaction.toHex()],
    [
      /^\/tx\/([\da-f]{64})\/outspend\/(\d{1,9})$/u,
      (txid, vout) => responses.outspendResponse(index, entry(txid!).transaction.getId(), Number(vout))
    ],
    [/^\/address\/(\w+)$/u, (address) => responses.addressResponse(index, address!)],
    [/^\/address\/(\w+)\/utxo$/u, (address) => responses.utxosResponse(index, address!)],
    [
      /^\/address\/(\w+)\/txs(?:\/chain\/([\da-f]{64}))?$/u,
      (address, last) => responses.historyResponse(index, address!, last)
    ]
  ]
}

const broadcast = async (node: RegtestNode, body: string): Promise<string> => {
  try {
    return await node.broadcast(body.trim())
  } catch (cause) {
    if (!(cause instanceof NodeRefusal)) throw cause
    const { code, message } = cause
    throw new EsploraRefusal(400, `sendrawtransaction RPC error: ${JSON.stringify({ code, message })}`)
  }
}

/**
 * Builds the handler of Esplora's HTTP API for the regtest chain. It returns undefined for a path that the API does not
 * have.
 */
export const esploraRoutes = (node: RegtestNode, fees: FeeLevel) => {
  const routes = readRoutes(node, fees)
  return (method: string, path: string, body: string): unknown => {
    if (method === "POST" && path === "/tx") return broadcast(node, body)
    for (const [pattern, respond] of method === "GET" ? routes : []) {
      const match = pattern.exec(path)
      if (match !== null) return respond(...match.slice(1))
    }
    return undefined
  }
}
