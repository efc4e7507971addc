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
  summary: "What a wallet holds, and what it has gained",
  description:
    "Of any address: balances are public. One request to each chain reads all listed tokens; a chain that does not answer within four seconds is named in `unread`. Profit and loss come from the movements that the project has recorded: closing value and outflows, less opening value and inflows. NFTs are those of Uniswap's positions and of the collections that the operator has named. A Bitcoin address has confirmed coins as its balance, and `unconfirmedBalance` besides.",
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
    const lent = portfolio.lending?.flatMap((position) => position.tokens) ?? []
    const prices = valuesOf(yield* (yield* TokenPrices).known(lent))
    const links = { base: yield* LinkBase, explorerOf: yield* Explorers }
    return portfolioBody(links, portfolio, { isTokens: tokens, prices, timerange })
  })
})

const chart = endpoint({
  id: "portfolio.chart",
  method: "GET",
  path: "/api/v1/wallets/:walletAddress/portfolio/chart",
  summary: "What a wallet was worth over time",
  description:
    "Of any address. Computed from what the chains say that is there now, the movements that the project has recorded, and prices of the past. What moved by no recorded movement counts as if it had always been there.",
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
