import { SwapRequest, Swaps } from "@countersign/core/trading/swap"
import { Effect } from "effect"
import { QuotesBody, quotesBody } from "../wire/index.ts"
import { endpoint } from "./Endpoint.ts"
import { gas, USDC, WALLET, WETH } from "./exampleValues.ts"
import { quoteLinks } from "./links.ts"

const quotes = endpoint({
  id: "swap.quotes",
  method: "POST",
  path: "/api/v1/crypto/swap",
  summary: "Quote a swap",
  description:
    "Returns real-time quotes in the order of the route profile, best first. Sign every element of `signData`, then execute by `quoteId`.",
  payload: SwapRequest,
  success: QuotesBody,
  responses: "quotes",
  errors: [
    "NOT_AUTHORIZED_TOKENS",
    "ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT",
    "SWAP_QUOTE",
    "UNPAID_GAS_LIMIT",
    "INDIVIDUAL_VERIFICATION_REQUIRED"
  ],
  scope: "quote",
  cost: "quote",
  weightOf: () => 1,
  costOf: ({ payload }) => (payload.routeProfile === "QUICKEST_QUOTE" ? "quote" : "slowQuote"),
  example: {
    body: {
      walletAddress: WALLET,
      toAddress: WALLET,
      chainIdIn: 1,
      chainIdOut: 1,
      tokenIn: USDC,
      tokenOut: WETH,
      amountIn: "100",
      ...gas,
      metadata: { order: "42" }
    }
  },
  links: quoteLinks("/quotes/0"),
  run: ({ payload, project }) =>
    Effect.map(
      Swaps.use((swaps) => swaps.quote(project, payload)),
      quotesBody
    )
})

export const swap = { quotes }
