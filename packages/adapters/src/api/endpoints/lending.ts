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
  summary: "Prepare a lending operation",
  description:
    "Supply, borrow, repay or withdraw, also supply and borrow, or repay and withdraw, as one operation: which legs are " +
    "present says what it is. It is run on the latest state, which tells the health factor before and after it. Sign " +
    "what `signData` asks for, then execute by `quoteId`.",
  payload: LendingRequestBody,
  success: LendingQuoteResponse,
  errors: [
    "NOT_AUTHORIZED_TOKENS",
    "ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT",
    "UPSTREAM_UNAVAILABLE",
    "UNPAID_GAS_LIMIT"
  ],
  scope: "quote",
  // The contract lists no error for used up compute units here.
  cost: null,
  effortOf: () => 1,
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
  summary: "The markets in which tokens are lent",
  description: "Rates, caps and loan-to-value ratios as of now, of listed tokens.",
  query: LendingMarketsQuery,
  success: LendingMarketsResponse,
  errors: ["UPSTREAM_UNAVAILABLE"],
  scope: "read",
  cost: "read",
  example: { parameters: { chainId: 1, provider: "LENDING_PROVIDER_A" } },
  run: Effect.fnUntraced(function* ({ query: { chainId = null, provider = null } }) {
    return lendingMarketsBody(yield* LinkBase, yield* (yield* Lending).markets({ chainId, provider }))
  })
})

const positions = endpoint({
  id: "lending.positions",
  method: "GET",
  path: "/api/v1/wallets/:walletAddress/lending",
  summary: "What a wallet has supplied and owes",
  description: "On every chain that is served, in listed tokens, interest included.",
  params: walletPath,
  success: LendingPositionsResponse,
  errors: ["ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT", "UPSTREAM_UNAVAILABLE"],
  scope: "read",
  cost: "read",
  example: { parameters: { walletAddress: WALLET } },
  run: Effect.fnUntraced(function* ({ params, project }) {
    const positions = yield* (yield* Lending).positions(project, params.walletAddress)
    const known = yield* (yield* TokenPrices).known(positions.found.flatMap(({ tokens }) => tokens))
    return lendingPositionsBody(yield* LinkBase, positions, valuesOf(known))
  })
})

export const lending = { quote, markets, positions }
