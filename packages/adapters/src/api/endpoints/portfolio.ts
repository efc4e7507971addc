import { PortfolioCharts, Portfolios } from "@countersign/core/accounting/portfolio"
import { TokenPrices, valuesOf } from "@countersign/core/foundation/tokens"
import { Effect } from "effect"
import {
  Explorers,
  LinkBase,
  PortfolioChartQuery,
  PortfolioChartResponse,
  PortfolioQuery,
  PortfolioResponse,
  portfolioBody,
  portfolioChartBody
} from "../wire/index.ts"
import { endpoint } from "./Endpoint.ts"
import { WALLET } from "./exampleValues.ts"
import { walletPath } from "./walletPath.ts"

const get = endpoint({
  id: "portfolio.get",
  method: "GET",
  path: "/api/v1/wallets/:walletAddress/portfolio",
  summary: "Get the portfolio of a wallet",
  description:
    "Returns the balances of any address, with their value, profit and loss. One request to each chain reads all listed tokens; `unread` lists the chains that do not respond within four seconds. Profit is the closing value plus outflows, minus the opening value and inflows, computed from the movements that the project has recorded. NFTs include Uniswap positions and the collections that the operator has configured. The balance of a Bitcoin address is its confirmed balance; `unconfirmedBalance` is separate.",
  params: walletPath,
  query: PortfolioQuery,
  success: PortfolioResponse,
  errors: ["NFT_METADATA_DECODE_FAILED"],
  scope: "read",
  cost: "portfolio",
  example: {
    parameters: { walletAddress: WALLET, includeTokens: true, includePnL: true, timerange: "all" }
  },
  run: Effect.fnUntraced(function* ({ params, project, query }) {
    const { includeLendingPositions: lending, includeNFTs: nfts, includePnL: profit, timerange } = query
    const tokens = query.includeTokens ?? !(nfts || profit || lending)
    const portfolio = yield* (yield* Portfolios).show(project.id, {
      walletAddress: params.walletAddress,
      include: { tokens, nfts, profit, lending },
      timeRange: timerange
    })
    const lendingTokens = portfolio.lending?.flatMap((position) => position.tokens) ?? []
    const prices = valuesOf(yield* (yield* TokenPrices).findPrices(lendingTokens))
    const links = { base: yield* LinkBase, explorerOf: yield* Explorers }
    return portfolioBody(links, portfolio, { hasTokens: tokens, prices, timerange })
  })
})

const chart = endpoint({
  id: "portfolio.chart",
  method: "GET",
  path: "/api/v1/wallets/:walletAddress/portfolio/chart",
  summary: "Get the value of a wallet over time",
  description:
    "Returns past values of any address, computed from its current balances, the movements that the project has recorded and historical prices. If an amount has no recorded movement, the chart assumes that the wallet held it for the entire time.",
  params: walletPath,
  query: PortfolioChartQuery,
  success: PortfolioChartResponse,
  errors: [],
  scope: "read",
  cost: "portfolio",
  example: { parameters: { walletAddress: WALLET, timerange: "7d" } },
  run: Effect.fnUntraced(function* ({ params, project, query: { timerange } }) {
    const chart = yield* (yield* PortfolioCharts).show(project.id, params.walletAddress, timerange)
    return portfolioChartBody(yield* LinkBase, chart, timerange)
  })
})

export const portfolio = { get, chart }
