import { TokenPrices, valuesOf } from "@countersign/core/foundation/tokens"
import { Lending } from "@countersign/core/trading/lending"
import { Effect } from "effect"
import {
  LendingMarketsQuery,
  LendingMarketsResponse,
  LendingPositionsResponse,
  LendingQuoteResponse,
  LendingRequestBody,
  LinkBase,
  lendingMarketsBody,
  lendingPositionsBody,
  lendingQuoteBody
} from "../wire/index.ts"
import { endpoint } from "./Endpoint.ts"
import { USDC, WALLET, WETH } from "./exampleValues.ts"
import { quoteLinks } from "./links.ts"
import { walletPath } from "./walletPath.ts"

const quote = endpoint({
  id: "lending.quote",
  method: "POST",
  path: "/api/v1/lending/quote",
  summary: "Quote a lending operation",
  description:
    "Returns a quote to supply, borrow, repay, withdraw, supply and borrow, or repay and withdraw in one operation. The legs of " +
    "the request determine the type. The service simulates the operation on the latest block to compute the health factor before and after " +
    "it. Sign every element of `signData`, then execute by `quoteId`.",
  payload: LendingRequestBody,
  success: LendingQuoteResponse,
  errors: [
    "NOT_AUTHORIZED_TOKENS",
    "ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT",
    "UPSTREAM_UNAVAILABLE",
    "UNPAID_GAS_LIMIT"
  ],
  scope: "quote",
  // Free, because in the API document this endpoint has no error for exhausted compute units.
  cost: null,
  weightOf: () => 1,
  example: {
    body: {
      walletAddress: WALLET,
      provider: "LENDING_PROVIDER_A",
      supply: { chainId: 1, tokenAddress: USDC, amount: "100" },
      borrow: { chainId: 1, tokenAddress: WETH, amount: "0.01" },
      gas: { paymentMethod: "ADD_TO_AMOUNT", tokenAddress: USDC }
    }
  },
  links: quoteLinks(""),
  run: Effect.fnUntraced(function* ({ payload, project }) {
    return lendingQuoteBody(yield* LinkBase, yield* (yield* Lending).quote(project, payload))
  })
})

const markets = endpoint({
  id: "lending.markets",
  method: "GET",
  path: "/api/v1/lending/markets",
  summary: "List the lending markets",
  description: "Returns the markets of listed tokens with their current rates, caps and loan-to-value ratios.",
  query: LendingMarketsQuery,
  success: LendingMarketsResponse,
  errors: ["UPSTREAM_UNAVAILABLE"],
  scope: "read",
  cost: "read",
  example: { parameters: { chainId: 1, provider: "LENDING_PROVIDER_A" } },
  run: Effect.fnUntraced(function* ({ query: { chainId = null, provider = null } }) {
    return lendingMarketsBody(yield* LinkBase, yield* (yield* Lending).listMarkets({ chainId, provider }))
  })
})

const positions = endpoint({
  id: "lending.positions",
  method: "GET",
  path: "/api/v1/wallets/:walletAddress/lending",
  summary: "List the lending positions of a wallet",
  description:
    "Returns the supplied and borrowed amounts in listed tokens, including interest, on every supported chain.",
  params: walletPath,
  success: LendingPositionsResponse,
  errors: ["ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT", "UPSTREAM_UNAVAILABLE"],
  scope: "read",
  cost: "read",
  example: { parameters: { walletAddress: WALLET } },
  run: Effect.fnUntraced(function* ({ params, project }) {
    const positions = yield* (yield* Lending).listPositions(project, params.walletAddress)
    const tokenPrices = yield* (yield* TokenPrices).findPrices(positions.results.flatMap(({ tokens }) => tokens))
    return lendingPositionsBody(yield* LinkBase, positions, valuesOf(tokenPrices))
  })
})

export const lending = { quote, markets, positions }
