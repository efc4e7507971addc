import { createHash, generateKeyPairSync, sign } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { tokenReceiverOf } from "../../sandbox/bridge/bridgeTransfer.ts"
import { idOf } from "../../sandbox/bridge/idOf.ts"
import {
  BRIDGE_KEY,
  type BridgeChains,
  type BridgeState,
  bridgeResponse,
  SandboxBridge
} from "../../sandbox/bridge/index.ts"

/** Serves the sandbox's Bridge on a separate port, with configurable faults and the strict rules of production. */

export { BRIDGE_KEY }

export const bridgeKeys = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" }
})

/** A fault of the server, before or after it has executed the request. */
export type BridgeFault =
  | { readonly _tag: "Status"; readonly status: number; readonly body?: object }
  | { readonly _tag: "Delay"; readonly ms: number }
  | { readonly _tag: "Body"; readonly text: string }
  | { readonly _tag: "AnswerLost" }

/** Replaces the chain: `receive` reports incoming tokens. */
const makeArrivals = () => {
  const arrivals = new Map<string, string>()
  const chains: BridgeChains = {
    give: async () => `0x${"9b".repeat(32)}`,
    received: async (_chainId, to) => arrivals.get(to) ?? null
  }
  return { chains, arrivals }
}

const textOrNull = (header: ReadonlyArray<string> | string | undefined): string | null =>
  typeof header === "string" ? header : null

export const startBridgeEmulator = async (bridgeChains?: BridgeChains) => {
  const arrivalReports = makeArrivals()
  const bridge = new SandboxBridge(bridgeChains ?? arrivalReports.chains, { asksForAll: true })
  /** Faults, by the number of requests that precede them. */
  const faults = new Map<number, BridgeFault>()
  let outage: BridgeFault | null = null

  const nextFault = (): BridgeFault | null => {
    const fault = faults.get(0)
    const laterFaults = [...faults].filter(([precedingCount]) => precedingCount > 0)
    faults.clear()
    for (const [precedingCount, laterFault] of laterFaults) faults.set(precedingCount - 1, laterFault)
    return fault ?? outage
  }

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request)
    const fault = nextFault()
    const respond = (status: number, content: unknown) => {
      response.writeHead(status, {
        "content-type": "application/json",
        ...(status === 429 ? { "retry-after": "1" } : {})
      })
      response.end(typeof content === "string" ? content : JSON.stringify(content))
    }
    if (fault?._tag === "Status") return respond(fault.status, fault.body ?? { message: "the emulator is set to fail" })
    if (fault?._tag === "Body") return respond(200, fault.text)
    if (fault?._tag === "Delay") await new Promise((resolve) => setTimeout(resolve, fault.ms))
    const { headers, method = "GET", url = "/" } = request
    const emulatedResponse = await bridgeResponse(bridge, {
      method,
      path: url,
      apiKey: textOrNull(headers["api-key"]),
      idempotencyKey: textOrNull(headers["idempotency-key"]),
      body
    })
    if (fault?._tag === "AnswerLost") return response.destroy()
    respond(emulatedResponse.status, emulatedResponse.body)
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((cause: unknown) => {
      response.writeHead(500)
      response.end(String(cause))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    transfers: bridge.transfers,
    customers: bridge.customers.all,
    accounts: bridge.customers.accounts,
    submissions: bridge.customers.submissions,
    ledger: bridge.ledger,
    transferOf: bridge.transferOf.bind(bridge),
    addCustomer: bridge.customers.add.bind(bridge.customers),
    set: bridge.set.bind(bridge),
    resend: bridge.resend.bind(bridge),
    expireKeys: bridge.expireKeys.bind(bridge),
    /** Reports that the tokens of a withdrawal have arrived in this transaction. */
    receive: (id: string, hash: string) => arrivalReports.arrivals.set(tokenReceiverOf(bridge.transferOf(id)).to, hash),
    /** Pays the fiat amount of a deposit, or pays out a withdrawal. */
    pay: (id: string, amount = "0.00", options: { readonly isNamed?: boolean } = {}) =>
      bridge.pay(id, BigInt(amount.replace(".", "")), options),
    /**
     * Returns a webhook message about a transfer. Bridge's signature is for the message, or for its digest as in
     * Bridge's code samples.
     */
    message(id: string, signed: "once" | "twice" = "once", atMs = Date.now()) {
      const body = JSON.stringify({
        api_version: "v0",
        event_id: idOf("wh"),
        event_category: "transfer",
        event_type: "transfer.updated.status_transitioned",
        event_object: bridge.transferOf(id),
        event_created_at: new Date(atMs).toISOString()
      })
      const content = Buffer.from(`${atMs}.${body}`)
      const contentToSign = signed === "once" ? content : createHash("sha256").update(content).digest()
      const signature = sign("RSA-SHA256", contentToSign, bridgeKeys.privateKey).toString("base64")
      return { headers: { "x-webhook-signature": `t=${atMs},v0=${signature}` }, body }
    },
    /** Sets the fault of the request that follows the next `after` requests. */
    fail: (fault: BridgeFault, after = 0) => faults.set(after, fault),
    /** Sets the fault of all requests until `heal` is called. The retries of a client get the same fault. */
    failAll: (fault: BridgeFault) => {
      outage = fault
    },
    heal: () => {
      faults.clear()
      outage = null
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}

export type BridgeEmulator = Awaited<ReturnType<typeof startBridgeEmulator>>
export type { BridgeState }
