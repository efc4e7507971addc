import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { BLINDPAY_PATH, bankResponseOrNull, SandboxBank } from "../../sandbox/bank/index.ts"

const receipt = { status: "0x1", transactionHash: `0x${"5a".repeat(32)}` }
const network = {
  clock: { nowSeconds: () => Math.floor(Date.now() / 1_000) },
  fund: async () => undefined,
  fundUpTo: async () => undefined,
  chain: () => ({ call: async () => receipt })
}

/** Serves the sandbox's bank without chains. Every stablecoin transaction is included immediately. */
export const startBlindPayServer = async () => {
  const bank = new SandboxBank(network as unknown as ConstructorParameters<typeof SandboxBank>[0])
  const state = { isResponseLost: false }

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = "GET", url = "/" } = request
    const { authorization, "idempotency-key": key } = request.headers
    const bankResponse = await bankResponseOrNull(bank, {
      method,
      path: url,
      authorization,
      key: typeof key === "string" ? key : null,
      text: await text(request)
    })
    if (state.isResponseLost) return response.destroy()
    response.writeHead(bankResponse?.status ?? 404, { "content-type": "application/json" })
    response.end(JSON.stringify(bankResponse?.body ?? {}))
  }

  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()))
  return {
    bank,
    state,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${BLINDPAY_PATH}`,
    stop: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}

export type BlindPayServer = Awaited<ReturnType<typeof startBlindPayServer>>
