import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Result } from "effect"
import { decodeAddress } from "../../src/bitcoin/readAddress.ts"

/** Satoshis that came to an address and went from it, in blocks and in waiting transactions. */
export interface AddressSums {
  readonly funded: bigint
  readonly spent: bigint
  readonly waitingIn: bigint
  readonly waitingOut: bigint
}

/** What the host does instead of answering. */
export type EsploraFault =
  | { readonly _tag: "Status"; readonly status: number; readonly text?: string; readonly retryAfter?: string }
  | { readonly _tag: "Body"; readonly text: string }
  | { readonly _tag: "Silence" }
  | { readonly _tag: "HangUp" }

const NOTHING: AddressSums = { funded: 0n, spent: 0n, waitingIn: 0n, waitingOut: 0n }

/** Sums as Esplora writes them: JSON numbers of any size. */
const sums = (funded: bigint, spent: bigint) =>
  `{"funded_txo_count":1,"funded_txo_sum":${funded},"spent_txo_count":1,"spent_txo_sum":${spent},"tx_count":2}`

/** The part of Esplora's HTTP API that reads heights and balances, over a socket. */
export const startEsploraEmulator = async () => {
  const balances = new Map<string, AddressSums>()
  const paths: Array<string> = []
  const state = { height: 900_000, fault: null as EsploraFault | null }

  const plain = (response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}) =>
    response.writeHead(status, { "content-type": "text/plain", ...headers }).end(text)

  const answer = (path: string, response: ServerResponse) => {
    if (path === "/blocks/tip/height") return plain(response, 200, String(state.height))
    const address = /^\/address\/(\w+)$/u.exec(path)?.[1]
    if (address === undefined) return plain(response, 404, "endpoint does not exist")
    if (Result.isFailure(decodeAddress(address))) return plain(response, 400, "Invalid Bitcoin address")
    const { funded, spent, waitingIn, waitingOut } = balances.get(address) ?? NOTHING
    const stats = `"chain_stats":${sums(funded, spent)},"mempool_stats":${sums(waitingIn, waitingOut)}`
    return response.writeHead(200, { "content-type": "application/json" }).end(`{"address":"${address}",${stats}}`)
  }

  const server = createServer((request, response) => {
    const path = request.url ?? ""
    paths.push(path)
    const { fault } = state
    switch (fault?._tag) {
      case undefined:
        return void answer(path, response)
      case "Status": {
        const { retryAfter, status, text = "" } = fault
        return void plain(response, status, text, retryAfter === undefined ? {} : { "retry-after": retryAfter })
      }
      case "Body":
        return void plain(response, 200, fault.text)
      case "HangUp":
        return void request.socket.destroy()
      case "Silence":
        return undefined
    }
  })
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    state,
    balances,
    /** What was asked, in order. */
    paths,
    stop: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}

export type EsploraEmulator = Awaited<ReturnType<typeof startEsploraEmulator>>
