import { TimeRange } from "@countersign/core/accounting/portfolio"
import { described } from "@countersign/core/foundation/primitives"
import { Effect, Schema } from "effect"
import { hex, instant, link, number, text, textOrNull } from "./fields.ts"
import { LendingPositionBody } from "./lending.ts"
import { LiquidityPositionBody } from "./positions.ts"
import { ChainBody, TokenBody } from "./resources.ts"
import { flagText, optionalFlagText } from "./scalars.ts"

export const PortfolioChartQuery = {
  timerange: TimeRange.pipe(
    described("A day, 7 days, 30 days (`1m`), 365 days (`1a`), or all since the first movement"),
    Schema.withDecodingDefaultKey(Effect.succeed("1d" as const))
  )
}

export const PortfolioQuery = {
  includeTokens: optionalFlagText(
    "Balances of native tokens and of all listed tokens. By default true if no other section is requested"
  ),
  includeNFTs: flagText("NFTs and positions of Uniswap V3"),
  includePnL: flagText("Profit and loss from the recorded movements of the project"),
  includeLendingPositions: flagText("Lending supplies and debts"),
  timerange: TimeRange.pipe(
    described("Period of profit and loss: a day, 7 days, 30 days (`1m`), 365 days (`1a`), or all"),
    Schema.withDecodingDefaultKey(Effect.succeed("1d" as const))
  )
}

const timerange = TimeRange.annotate({ description: "The period" })

const PnlBody = Schema.Struct({
  profitAbsUsd: textOrNull("Realized and unrealized gain, negative for a loss. Null if a required price is unknown"),
  roi: textOrNull("Percent of the invested value: the value at the start and all incoming movements"),
  inflowUsd: textOrNull("Value of all incoming movements, each at its time"),
  outflowUsd: textOrNull("Value of all outgoing movements with fees and gas, each at its time"),
  averageBuyPriceUsd: textOrNull("Average cost of a whole token, of the received tokens that the wallet still has"),
  timerange
})

export const PortfolioTokenBody = Schema.Struct({
  address: hex("Contract of the token; 0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee for the native token"),
  name: text("Full name"),
  symbol: text("Short name, such as USDC"),
  marketDataId: textOrNull("Id of the token at CoinGecko; null if the token list has none"),
  decimals: number("Decimals"),
  logo: link("Logo of the token, served by this service"),
  chain: ChainBody,
  balance: text("In base units"),
  balanceFormatted: text("In whole tokens"),
  unconfirmedBalance: Schema.optionalKey(Schema.String).annotate({
    description:
      "Only for Bitcoin, in base units: change of `balance` by unconfirmed transactions, negative for a decrease"
  }),
  balanceUsd: textOrNull("In US dollars; null if no price is known"),
  priceUsd: textOrNull("Price of a whole token; null if unknown"),
  priceSource: textOrNull(
    "FEED, DOLLAR, AVERAGE or NOW: an on-chain price from an oracle or a pool. Another name is an external source, used if there is no on-chain price. Null without a price"
  ),
  priceStale: Schema.Boolean.annotate({ description: "Whether the price is outdated" }),
  asOf: instant("Time of the block of the balance; for Bitcoin, when it was read"),
  pnl: Schema.NullOr(PnlBody).annotate({
    description: "Null if profit and loss were not requested, or if there are no movements"
  })
}).annotate({ identifier: "PortfolioToken", description: "A token with its balance" })

const NftBody = Schema.Struct({
  address: hex("Contract of the collection"),
  collection: Schema.Struct({
    name: textOrNull("Name of the collection; null if its contract has none"),
    symbol: textOrNull("Short name of the collection"),
    logo: textOrNull("Always null: there is no list of collection logos")
  }).annotate({ description: "The name and symbol of its contract" }),
  tokenId: text("Token id in the collection, as a decimal string"),
  name: textOrNull("Name of the NFT; null if it has no readable metadata"),
  description: textOrNull("From its metadata"),
  image: textOrNull("A URL at https, or a data URL of an image"),
  amount: text("1 for ERC-721; for ERC-1155 the balance of the wallet"),
  chain: ChainBody
}).annotate({ identifier: "Nft", description: "An NFT. Its creator sets its names and texts" })

const UnreadChainBody = Schema.Struct({ chain: ChainBody, reason: text("Reason why it could not be read") })

export const PortfolioResponse = Schema.Struct({
  tokens: Schema.Array(PortfolioTokenBody).annotate({ description: "The tokens that the wallet holds" }),
  nfts: Schema.Array(NftBody).annotate({
    description: "NFTs, sorted by collection and newest first; at most 50 of each collection"
  }),
  portfolio: Schema.Array(PortfolioTokenBody).annotate({
    description: "Tokens that the wallet holds, and tokens that moved in the period, each with its profit and loss"
  }),
  pnl: Schema.NullOr(
    Schema.Struct({
      timerange,
      total: Schema.Struct({
        totalUsd: text("Sum over all tokens whose profit is known"),
        incomplete: Schema.Array(
          Schema.Struct({ token: TokenBody, reason: text("The missing price") }).annotate({
            identifier: "TokenWithoutProfit",
            description: "A token that `totalUsd` does not include"
          })
        ).annotate({ description: "Tokens whose profit is unknown, because no source has a required price" })
      }).annotate({ description: "Profit and loss of all tokens" })
    })
  ).annotate({ description: "Null if profit and loss were not requested" }),
  liquidityPositions: Schema.Array(LiquidityPositionBody).annotate({
    description:
      "Positions of Uniswap V3 in listed tokens, with amounts and unclaimed fees. Empty if NFTs are not requested"
  }),
  lendingPositions: Schema.Array(LendingPositionBody).annotate({
    description: "Lending positions, sorted by chain and provider"
  }),
  asOf: instant("When the response was created"),
  unread: Schema.Array(UnreadChainBody).annotate({
    description: "Chains that could not be read, in full or in part: their balances may be missing"
  })
}).annotate({ identifier: "Portfolio", description: "The balances of a wallet, their value, profit and loss" })

export const PortfolioChartResponse = Schema.Struct({
  timerange,
  points: Schema.Array(
    Schema.Struct({
      at: instant("The time"),
      valueUsd: textOrNull("In US dollars; null if no token has a price at each time")
    })
  ).annotate({ description: "Oldest first, about 25 to 60; the last is the current time" }),
  leftOut: Schema.Array(TokenBody).annotate({
    description: "Tokens that no point includes: a price at one of the times is unknown, or arrived too late"
  }),
  asOf: instant("When the response was created"),
  unread: Schema.Array(UnreadChainBody).annotate({
    description: "Chains that could not be read: no point includes their balances"
  })
}).annotate({ identifier: "PortfolioChart", description: "The value of a wallet over time" })
