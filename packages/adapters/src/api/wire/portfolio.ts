import { TimeRange } from "@countersign/core/accounting/portfolio"
import { withDescription } from "@countersign/core/foundation/primitives"
import { Effect, Schema } from "effect"
import { hex, instant, link, number, text, textOrNull } from "./fields.ts"
import { LendingPositionBody } from "./lending.ts"
import { LiquidityPositionBody } from "./positions.ts"
import { ChainBody, TokenBody } from "./resources.ts"
import { flagText, optionalFlagText } from "./scalars.ts"

export const PortfolioChartQuery = {
  timerange: TimeRange.pipe(
    withDescription("Period: a day, 7 days, 30 days (`1m`), 365 days (`1a`), or since the first movement"),
    Schema.withDecodingDefaultKey(Effect.succeed("1d" as const))
  )
}

export const PortfolioQuery = {
  includeTokens: optionalFlagText(
    "Balances of native tokens and of all listed tokens. By default true if no other section is requested"
  ),
  includeNFTs: flagText("NFTs, including Uniswap V3 positions"),
  includePnL: flagText("Profit and loss, computed from the movements that the project has recorded"),
  includeLendingPositions: flagText("Supplied amounts and debts in lending markets"),
  timerange: TimeRange.pipe(
    withDescription(
      "Period for profit and loss: a day, 7 days, 30 days (`1m`), 365 days (`1a`), or since the first movement"
    ),
    Schema.withDecodingDefaultKey(Effect.succeed("1d" as const))
  )
}

const timerange = TimeRange.annotate({ description: "The period" })

const PnlBody = Schema.Struct({
  profitAbsUsd: textOrNull("Realized and unrealized gain, negative for a loss. Null if a required price is unknown"),
  roi: textOrNull(
    "Profit in percent of the invested value, which is the value at the start plus all incoming movements"
  ),
  inflowUsd: textOrNull("Value of all incoming movements, each at the prices of its time"),
  outflowUsd: textOrNull("Value of all outgoing movements including fees and gas, each at the prices of its time"),
  averageBuyPriceUsd: textOrNull("Average cost of one token, over the received tokens that the wallet still holds"),
  timerange
})

export const PortfolioTokenBody = Schema.Struct({
  address: hex("Contract of the token; 0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee for the native token"),
  name: text("Full name"),
  symbol: text("Symbol, such as USDC"),
  marketDataId: textOrNull("Id of the token at CoinGecko; null if the token list has none"),
  decimals: number("Decimals"),
  logo: link("Logo of the token, served by this service"),
  chain: ChainBody,
  balance: text("Balance in base units"),
  balanceFormatted: text("Decimal token amount"),
  unconfirmedBalance: Schema.optionalKey(Schema.String).annotate({
    description:
      "Only for Bitcoin: change of `balance` by unconfirmed transactions, in base units; negative for a decrease"
  }),
  balanceUsd: textOrNull("In US dollars; null if no price is known"),
  priceUsd: textOrNull("Price of one token in US dollars; null if unknown"),
  priceSource: textOrNull(
    "Source of the price. FEED, DOLLAR, AVERAGE or NOW: an on-chain price from an oracle or a pool. Any other value names an external source, which is used if there is no on-chain price. Null if there is no price"
  ),
  priceStale: Schema.Boolean.annotate({ description: "Whether the price is outdated" }),
  asOf: instant("Timestamp of the block at which the balance was read; for Bitcoin, the time of the request"),
  pnl: Schema.NullOr(PnlBody).annotate({
    description: "Null if profit and loss were not requested, or if there are no movements"
  })
}).annotate({ identifier: "PortfolioToken", description: "A token with its balance" })

const NftBody = Schema.Struct({
  address: hex("Contract of the collection"),
  collection: Schema.Struct({
    name: textOrNull("`name()` of the collection's contract; null if the contract has none"),
    symbol: textOrNull("`symbol()` of the collection's contract; null if the contract has none"),
    logo: textOrNull("Always null: there is no list of collection logos")
  }).annotate({ description: "The collection's name and symbol, from its contract" }),
  tokenId: text("Token id in the collection, as a decimal string"),
  name: textOrNull("Name from the NFT's metadata; null if the metadata contain none or can't be read"),
  description: textOrNull("Description from the NFT's metadata; null if the metadata contain none or can't be read"),
  image: textOrNull("An https URL or a data URL of the image; null if the metadata contain none or can't be read"),
  amount: text("1 for ERC-721; for ERC-1155 the balance of the wallet"),
  chain: ChainBody
}).annotate({
  identifier: "Nft",
  description: "An NFT. Its creator controls the names and texts, so do not trust them"
})

const UnreadChainBody = Schema.Struct({ chain: ChainBody, reason: text("Reason why the chain could not be read") })

export const PortfolioResponse = Schema.Struct({
  tokens: Schema.Array(PortfolioTokenBody).annotate({ description: "The tokens that the wallet holds" }),
  nfts: Schema.Array(NftBody).annotate({
    description: "NFTs, sorted by collection, and newest first for ERC-721; at most 50 of each collection"
  }),
  portfolio: Schema.Array(PortfolioTokenBody).annotate({
    description: "Tokens that the wallet holds, and tokens that moved in the period, each with its profit and loss"
  }),
  pnl: Schema.NullOr(
    Schema.Struct({
      timerange,
      total: Schema.Struct({
        totalUsd: text("Total profit and loss of all tokens whose result is known"),
        incomplete: Schema.Array(
          Schema.Struct({ token: TokenBody, reason: text("Which price is missing") }).annotate({
            identifier: "TokenWithoutProfit",
            description: "A token that `totalUsd` does not include"
          })
        ).annotate({ description: "Tokens whose profit is unknown, because no source has a required price" })
      }).annotate({ description: "Profit and loss of all tokens" })
    })
  ).annotate({ description: "Null if profit and loss were not requested" }),
  liquidityPositions: Schema.Array(LiquidityPositionBody).annotate({
    description:
      "Uniswap V3 positions in listed tokens, with amounts and unclaimed fees. Empty if NFTs are not requested"
  }),
  lendingPositions: Schema.Array(LendingPositionBody).annotate({
    description: "Lending positions, sorted by chain and provider"
  }),
  asOf: instant("Time of the request"),
  unread: Schema.Array(UnreadChainBody).annotate({
    description: "Chains that could not be read completely. Their balances may be missing"
  })
}).annotate({ identifier: "Portfolio", description: "The balances of a wallet, their value, profit and loss" })

export const PortfolioChartResponse = Schema.Struct({
  timerange,
  points: Schema.Array(
    Schema.Struct({
      at: instant("Time of the value"),
      valueUsd: textOrNull("Value in US dollars; null if no token has a price for every point")
    })
  ).annotate({ description: "About 25 to 60 points, oldest first; the last one is the current value" }),
  leftOut: Schema.Array(TokenBody).annotate({
    description: "Tokens that no point includes, because a price at one of the times is unknown or arrived too late"
  }),
  asOf: instant("Time of the request"),
  unread: Schema.Array(UnreadChainBody).annotate({
    description: "Chains that could not be read. No point includes their balances"
  })
}).annotate({ identifier: "PortfolioChart", description: "The value of a wallet over time" })
