import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"
import { close, listen } from "../support/localServer.ts"

export const VAULT = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"
export const USDC_POOL = "ETH.USDC-0XA0B86991C6218B36C1D19D4A2E9EB0CE3606EB48"

const inboundOf = (chain: string, changes: object = {}) => ({
  chain,
  address: chain === "BTC" ? VAULT : `0x${"7".repeat(40)}`,
  halted: false,
  global_trading_paused: false,
  chain_trading_paused: false,
  ...changes
})

/** The responses of a THORNode without faults. */
export const honestResponses = {
  pools: [
    { asset: "BTC.BTC", status: "Available" },
    { asset: "ETH.ETH", status: "Available" },
    { asset: USDC_POOL, status: "Available" },
    { asset: "ETH.USDT-0XDAC17F958D2EE523A2206206994597C13D831EC7", status: "Staged" }
  ] as ReadonlyArray<object>,
  inbounds: ["BTC", "ETH", "BSC"].map((chain) => inboundOf(chain)) as ReadonlyArray<object>,
  quote: {
    inbound_address: VAULT,
    inbound_confirmation_blocks: 2,
    inbound_confirmation_seconds: 1_200,
    outbound_delay_seconds: 60,
    total_swap_seconds: 1_260,
    fees: { asset: USDC_POOL, affiliate: "0", outbound: "120000000", liquidity: "98765432", slippage_bps: 5 },
    expiry: 2_000_000_900,
    dust_threshold: "10000",
    recommended_min_amount_in: "20000",
    recommended_gas_rate: "4",
    gas_rate_units: "satsperbyte",
    expected_amount_out: "95000000000",
    max_streaming_quantity: 8
  } as object
}

/** Serves THORNode's API over HTTP. A test can replace the responses. */
export const thorNodeServer = Effect.acquireRelease(
  Effect.gen(function* () {
    const state = {
      ...honestResponses,
      asked: [] as Array<URL>,
      /** Responses that replace the next quotes. */
      injected: [] as Array<{ readonly status: number; readonly body: unknown; readonly retryAfter?: string }>
    }
    const bodies: Readonly<Record<string, () => unknown>> = {
      "/thorchain/pools": () => state.pools,
      "/thorchain/inbound_addresses": () => state.inbounds,
      "/thorchain/quote/swap": () => state.quote
    }
    const server = createServer((request, response) => {
      const url = new URL(request.url ?? "/", "http://thornode")
      state.asked.push(url)
      const isQuote = url.pathname === "/thorchain/quote/swap"
      const { body, retryAfter, status } = (isQuote ? state.injected.shift() : undefined) ?? {
        status: 200,
        body: bodies[url.pathname]?.()
      }
      response.writeHead(status, {
        "content-type": "application/json",
        ...(retryAfter === undefined ? {} : { "retry-after": retryAfter })
      })
      response.end(JSON.stringify(body))
    })
    yield* listen(server)
    return { server, state, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  }),
  ({ server }) => close(server)
)

export const inboundsWith = (chain: string, changes: object) =>
  ["BTC", "ETH", "BSC"].map((each) => inboundOf(each, each === chain ? changes : {}))
