import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"
import type { WalletUtxo } from "../../sandbox/aggregators/lifi-bitcoin/payment.ts"
import { lifiResponseOrNull } from "../../sandbox/aggregators/lifiResponse.ts"
import { close, listen } from "../support/localServer.ts"
import { type LiFiPayment, withPayment } from "./lifiPayments.ts"

export interface LiFiResponse {
  readonly status: number
  readonly body: unknown
}

/**
 * Serves the sandbox's LI.FI API over HTTP. A test can change the responses. With a sandbox URL, the server forwards
 * requests to that sandbox. Without a URL, it uses the UTXOs that the test sets, and no chain.
 */
export const lifiBitcoinServer = Effect.acquireRelease(
  Effect.gen(function* () {
    const state = {
      asked: [] as Array<URL>,
      /** The URL of LI.FI's API in a sandbox, or null. */
      sandboxUrl: null as string | null,
      /** The wallet's UTXOs. They are only used without a sandbox. */
      coins: [] as Array<WalletUtxo>,
      /** In sat/vB. The value is only used without a sandbox. */
      feeRate: 1,
      /** Changes a Bitcoin payment. */
      cheat: null as ((payment: LiFiPayment) => LiFiPayment) | null,
      /** Changes any response. */
      cheatAnswer: null as ((path: string, response: LiFiResponse) => LiFiResponse) | null,
      /** If false, the response to every request for a quote is "no quotes". */
      hasRoutes: true,
      /** Responses that replace the next ones. */
      injected: [] as Array<LiFiResponse>
    }
    const bitcoin = {
      coinsOf: () => Promise.resolve(state.coins),
      feeRate: () => Promise.resolve(state.feeRate),
      isHalted: () => false
    }
    const responseWithoutChains = (url: URL) =>
      lifiResponseOrNull(
        {
          chain: () => ({ call: () => Promise.reject(new Error("there is no chain")) }),
          nowSeconds: () => 2_000_000_000,
          relayer: () => ({ mode: "OFF" }),
          bitcoin
        },
        "GET",
        url.pathname,
        url.searchParams
      )
    const sandboxResponse = async (sandboxUrl: string, { pathname, search }: URL): Promise<LiFiResponse> => {
      const response = await fetch(`${sandboxUrl}${pathname}${search}`)
      return { status: response.status, body: await response.json() }
    }
    const respond = async (url: URL): Promise<LiFiResponse> => {
      if (url.pathname === "/quote" && !state.hasRoutes) {
        return { status: 404, body: { message: "No available quotes for the requested transfer" } }
      }
      const honestResponse = await (state.sandboxUrl === null
        ? responseWithoutChains(url)
        : sandboxResponse(state.sandboxUrl, url))
      if (honestResponse === null) return { status: 404, body: { message: "not found" } }
      const { cheat, cheatAnswer } = state
      const isPayment = url.pathname === "/quote" && honestResponse.status === 200 && cheat !== null
      const changedResponse = isPayment
        ? { status: 200, body: withPayment(honestResponse.body, cheat) }
        : honestResponse
      return cheatAnswer === null ? changedResponse : cheatAnswer(url.pathname, changedResponse)
    }
    const server = createServer((request, response) => {
      const url = new URL(request.url ?? "/", "http://lifi")
      state.asked.push(url)
      const injectedResponse = state.injected.shift()
      const responsePromise = injectedResponse === undefined ? respond(url) : Promise.resolve(injectedResponse)
      responsePromise.then(
        ({ body, status }) => {
          response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
        },
        () => response.writeHead(502).end()
      )
    })
    yield* listen(server)
    return { server, state, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  }),
  ({ server }) => close(server)
)
