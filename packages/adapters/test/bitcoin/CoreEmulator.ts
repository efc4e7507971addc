import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { blockHashAt, type EmulatedChain } from "./EmulatedChain.ts"

/** Starts an emulator of the Bitcoin Core JSON-RPC methods that the service uses. */
export const startCoreEmulator = async (chain: EmulatedChain) => {
  const state = {
    /**
     * Fee rates in BTC/kvB, by target number of blocks. They are strings, so that the JSON numbers have exactly these
     * digits.
     */
    fees: new Map<number, string>(),
    /** In BTC/kvB. */
    relay: { mempoolminfee: "0.00001000", minrelaytxfee: "0.00001000", incrementalrelayfee: "0.00001000" },
    height: 900_000,
    tipTime: Math.floor(Date.now() / 1_000),
    isDown: false
  }
  const calls: Array<string> = []
  const expectedAuthorization = `Basic ${Buffer.from("operator:pass word").toString("base64")}`

  const respond = (method: string, [firstParameter]: ReadonlyArray<unknown>): string => {
    if (method === "estimatesmartfee") {
      const rate = state.fees.get(Number(firstParameter))
      const result =
        rate === undefined ? `{"errors":["Insufficient data"],"blocks":2}` : `{"feerate":${rate},"blocks":2}`
      return `{"result":${result},"error":null,"id":"countersign"}`
    }
    if (method === "getmempoolinfo") {
      const { incrementalrelayfee, mempoolminfee, minrelaytxfee } = state.relay
      return `{"result":{"mempoolminfee":${mempoolminfee},"minrelaytxfee":${minrelaytxfee},"incrementalrelayfee":${incrementalrelayfee}},"error":null,"id":"countersign"}`
    }
    if (method === "getblockchaininfo") {
      const result = { blocks: state.height, bestblockhash: blockHashAt(state.height), time: state.tipTime }
      return JSON.stringify({ result, error: null, id: "countersign" })
    }
    const txidOrError = chain.take(String(firstParameter))
    const [result, error] = typeof txidOrError === "string" ? [txidOrError, null] : [null, txidOrError]
    return JSON.stringify({ result, error, id: "countersign" })
  }

  const server = createServer(async (request, response) => {
    const { method, params } = JSON.parse(await text(request)) as { method: string; params: ReadonlyArray<unknown> }
    calls.push(method)
    if (state.isDown) return void request.socket.destroy()
    if (request.headers.authorization !== expectedAuthorization) return void response.writeHead(401).end()
    const body = respond(method, params)
    response.writeHead(body.includes('"error":null') ? 200 : 500, { "content-type": "application/json" }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    state,
    calls,
    url: `http://operator:pass%20word@${host}`,
    urlWithoutPassword: `http://${host}`,
    stop: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}
