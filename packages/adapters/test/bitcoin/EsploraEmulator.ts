import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { Result } from "effect"
import { decodeAddress } from "../../src/chains/bitcoin/readAddress.ts"
import { blockHashAt, blockTimeAt, EmulatedChain } from "./EmulatedChain.ts"

/** The amounts that an address has received and sent, confirmed and unconfirmed, in satoshis. */
export interface AddressSums {
  readonly fundedAmount: bigint
  readonly spentAmount: bigint
  readonly waitingIn: bigint
  readonly waitingOut: bigint
}

/** A fault that replaces the server's response. */
export type EsploraFault =
  | { readonly _tag: "Status"; readonly status: number; readonly text?: string; readonly retryAfter?: string }
  | { readonly _tag: "Body"; readonly text: string }
  | { readonly _tag: "Silence" }
  | { readonly _tag: "HangUp" }

const NO_AMOUNTS: AddressSums = { fundedAmount: 0n, spentAmount: 0n, waitingIn: 0n, waitingOut: 0n }

/** Formats sums as Esplora does: as JSON numbers of any size. */
const sumsJson = (funded: bigint, spent: bigint) =>
  `{"funded_txo_count":1,"funded_txo_sum":${funded},"spent_txo_count":1,"spent_txo_sum":${spent},"tx_count":2}`

const PAGE_SIZE = 25
/** The server reports blocks up to this depth below the latest block. */
const MAX_DEPTH = 2_000

type EsploraResponse = { readonly status: number; readonly text: string } | object

const notFound = (subject: string): EsploraResponse => ({ status: 404, text: `${subject} not found` })
const badRequest = (text: string): EsploraResponse => ({ status: 400, text })
const plainText = (text: string): EsploraResponse => ({ status: 200, text })

const blockResponse = (
  chain: EmulatedChain,
  { height, tipTime }: { readonly height: number; readonly tipTime: number },
  hash: string,
  start: string | undefined
): EsploraResponse => {
  let blockHeight = height
  while (blockHeight > height - MAX_DEPTH && blockHashAt(blockHeight) !== hash) blockHeight -= 1
  if (blockHeight === height - MAX_DEPTH) return notFound("Block")
  const blockEntries = chain.at(blockHeight)
  if (start === undefined)
    return {
      id: hash,
      height: blockHeight,
      timestamp: blockEntries.length === 0 ? tipTime - (height - blockHeight) * 600 : blockTimeAt(blockHeight),
      tx_count: blockEntries.length,
      previousblockhash: blockHashAt(blockHeight - 1)
    }
  return blockEntries.slice(Number(start), Number(start) + PAGE_SIZE).map((entry) => chain.render(entry))
}

const transactionResponse = (chain: EmulatedChain, txid: string, part = ""): EsploraResponse => {
  const entry = chain.entry(txid)
  if (entry === undefined) return notFound("Transaction")
  if (part === "/hex") return plainText(entry.transaction.toHex())
  if (part === "") return chain.render(entry)
  const spender = chain.spender(txid, Number(part.split("/").at(-1)))
  return spender === undefined ? { spent: false } : { spent: true, txid: spender.transaction.getId() }
}

const addressResponse = (chain: EmulatedChain, address: string, part: string): EsploraResponse => {
  if (part === "utxo") {
    const utxos = chain.utxos(address)
    return utxos.length > chain.maxUtxos ? badRequest("Too many unspent outputs") : utxos
  }
  const history = chain.history(address)
  const confirmedEntries = history.filter(({ height }) => height !== null)
  const lastTxid = /chain\/(\w+)/u.exec(part)?.[1]
  const index = confirmedEntries.findIndex(({ transaction }) => transaction.getId() === lastTxid)
  const unconfirmedEntries = lastTxid === undefined ? history.filter(({ height }) => height === null).slice(0, 50) : []
  const remainingEntries =
    lastTxid === undefined ? confirmedEntries : index < 0 ? [] : confirmedEntries.slice(index + 1)
  return [...unconfirmedEntries, ...remainingEntries.slice(0, PAGE_SIZE)].map((entry) => chain.render(entry))
}

/** Starts an emulator of the Esplora endpoints that the service uses. */
export const startEsploraEmulator = async () => {
  const balances = new Map<string, AddressSums>()
  const paths: Array<string> = []
  const state = {
    height: 900_000,
    fault: null as EsploraFault | null,
    /** Whether the server returns the raw bytes of transactions. */
    servesBytes: true,
    tipTime: Math.floor(Date.now() / 1_000),
    /** The response of mempool.space's fee endpoint. Null for other servers, which do not have this endpoint. */
    preciseFees: null as string | null,
    fees: '{"2":87.882,"144":1.027,"6":3}'
  }
  const chain = new EmulatedChain()

  const sendText = (response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}) =>
    response.writeHead(status, { "content-type": "text/plain", ...headers }).end(text)

  const chainResponse = (path: string): EsploraResponse | undefined => {
    if (path === "/blocks/tip/hash") return plainText(blockHashAt(state.height))
    if (path === "/fee-estimates") return plainText(state.fees)
    if (path.startsWith("/v1/fees/precise") && state.preciseFees !== null) return plainText(state.preciseFees)
    const height = /^\/block-height\/(\d+)$/u.exec(path)?.[1]
    if (height !== undefined) {
      return Number(height) > state.height ? notFound("Block") : plainText(blockHashAt(Number(height)))
    }
    const [, hash, start] = /^\/block\/(\w{64})(?:\/txs\/(\d+))?$/u.exec(path) ?? []
    if (hash !== undefined) return blockResponse(chain, state, hash, start)
    const [, txid, part] = /^\/tx\/(\w{64})(\/hex|\/outspend\/\d+)?$/u.exec(path) ?? []
    if (part === "/hex" && !state.servesBytes) return notFound("Transaction")
    if (txid !== undefined) return transactionResponse(chain, txid, part)
    const [, address, listName] = /^\/address\/(\w+)\/(utxo|txs(?:\/chain\/\w{64})?)$/u.exec(path) ?? []
    return address === undefined ? undefined : addressResponse(chain, address, listName!)
  }

  const broadcast = (body: string, response: ServerResponse) => {
    const result = chain.take(body)
    if (typeof result === "string") return sendText(response, 200, result)
    return sendText(response, 400, `sendrawtransaction RPC error: ${JSON.stringify(result)}`)
  }

  const respond = (path: string, response: ServerResponse) => {
    if (path === "/blocks/tip/height") return sendText(response, 200, String(state.height))
    const result = chainResponse(path)
    if (result !== undefined) {
      if ("text" in result) return sendText(response, result.status, result.text)
      return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(result))
    }
    const address = /^\/address\/(\w+)$/u.exec(path)?.[1]
    if (address === undefined) return sendText(response, 404, "endpoint does not exist")
    if (Result.isFailure(decodeAddress(address))) return sendText(response, 400, "Invalid Bitcoin address")
    const { fundedAmount, spentAmount, waitingIn, waitingOut } = balances.get(address) ?? NO_AMOUNTS
    const stats = `"chain_stats":${sumsJson(fundedAmount, spentAmount)},"mempool_stats":${sumsJson(waitingIn, waitingOut)}`
    return response.writeHead(200, { "content-type": "application/json" }).end(`{"address":"${address}",${stats}}`)
  }

  const server = createServer((request, response) => {
    const path = request.url ?? ""
    paths.push(path)
    const { fault } = state
    switch (fault?._tag) {
      case undefined:
        if (request.method !== "POST") return void respond(path, response)
        return void text(request).then((body) => broadcast(body, response))
      case "Status": {
        const { retryAfter, status } = fault
        return void sendText(
          response,
          status,
          fault.text ?? "",
          retryAfter === undefined ? {} : { "retry-after": retryAfter }
        )
      }
      case "Body":
        return void sendText(response, 200, fault.text)
      case "HangUp":
        return void request.socket.destroy()
      case "Silence":
        return undefined
    }
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    state,
    balances,
    chain,
    /** The requested paths, in order. */
    paths,
    stop: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}

export type EsploraEmulator = Awaited<ReturnType<typeof startEsploraEmulator>>
