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
    "Balances of native tokens and of all listed tokens. Left out: true where no other section is requested"
  ),
  includeNFTs: flagText("NFTs and positions of Uniswap V3"),
  includePnL: flagText("Profit and loss by the movements that the project has recorded"),
  includeLendingPositions: flagText("Supplies and debts"),
  timerange: TimeRange.pipe(
    described("The time of profit and loss: a day, 7 days, 30 days (`1m`), 365 days (`1a`), or all"),
    Schema.withDecodingDefaultKey(Effect.succeed("1d" as const))
  )
}

const timerange = TimeRange.annotate({ description: "The time that it is computed for" })

const PnlBody = Schema.Struct({
  profitAbsUsd: textOrNull(
    "Gain, or loss with a minus, realised or not. Null where a price is not known that it needs"
  ),
  roi: textOrNull("Percent of what was invested: the value at the beginning and all that came in"),
  inflowUsd: textOrNull("Value of all that came in, when it did"),
  outflowUsd: textOrNull("Value of all that went out, fees and gas included, when it did"),
  averageBuyPriceUsd: textOrNull("Average cost of a whole token of what is left of those that came in"),
  timerange
})

export const PortfolioTokenBody = Schema.Struct({
  address: hex("Its contract; 0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee for the chain's own coin"),
  name: text("Full name"),
  symbol: text("Short name, such as USDC"),
  marketDataId: textOrNull("Its id at CoinGecko; null where the list of tokens has none"),
  decimals: number("Digits after the point"),
  logo: link("Its logo, served by this service"),
  chain: ChainBody,
  balance: text("In base units"),
  balanceFormatted: text("In whole tokens"),
  unconfirmedBalance: Schema.optionalKey(Schema.String).annotate({
    description: "Of Bitcoin alone, in base units: what waiting transactions add to `balance`, or take with a minus"
  }),
  balanceUsd: textOrNull("In US dollars; null without a known price"),
  priceUsd: textOrNull("Of a whole token; null where it is not known"),
  priceSource: textOrNull(
    "FEED, DOLLAR, AVERAGE or NOW: of the chain, an oracle's or a pool's. Another name is that of a source outside the chains, which is asked where the chain has no price. Null without a price"
  ),
  priceStale: Schema.Boolean.annotate({ description: "Whether the price is older than a current one should be" }),
  asOf: instant("Time of the block that the balance is of; of Bitcoin, when it was read"),
  pnl: Schema.NullOr(PnlBody).annotate({ description: "Null where it was not asked for, or where nothing has moved" })
}).annotate({ identifier: "PortfolioToken", description: "A token with its balance" })

const NftBody = Schema.Struct({
  address: hex("Its contract"),
  collection: Schema.Struct({
    name: textOrNull("Name of the collection; null where its contract gives none"),
    symbol: textOrNull("Short name of the collection"),
    logo: textOrNull("Null: no list of logos of collections is kept")
  }).annotate({ description: "The name and symbol of its contract" }),
  tokenId: text("Its number in the collection, in decimal digits"),
  name: textOrNull("Its own name; null where there is no metadata that can be read"),
  description: textOrNull("As its metadata says"),
  image: textOrNull("A URL at https, or a data URL of an image"),
  amount: text("One of ERC-721; of ERC-1155 as many as the wallet holds"),
  chain: ChainBody
}).annotate({ identifier: "Nft", description: "An NFT. Its creator sets its names and texts" })

const UnreadChainBody = Schema.Struct({ chain: ChainBody, reason: text("Why it could not be read") })

export const PortfolioResponse = Schema.Struct({
  tokens: Schema.Array(PortfolioTokenBody).annotate({ description: "The tokens that the wallet holds" }),
  nfts: Schema.Array(NftBody).annotate({ description: "By collection, newest first; at most 50 of each" }),
  portfolio: Schema.Array(PortfolioTokenBody).annotate({
    description: "With profit and loss: the tokens that the wallet holds, and those that have moved in the time"
  }),
  pnl: Schema.NullOr(
    Schema.Struct({
      timerange,
      total: Schema.Struct({
        totalUsd: text("Sum over all tokens whose profit is known"),
        incomplete: Schema.Array(
          Schema.Struct({ token: TokenBody, reason: text("Which price is missing") }).annotate({
            identifier: "TokenWithoutProfit",
            description: "A token that `totalUsd` does not include"
          })
        ).annotate({ description: "Tokens whose profit needs a price that no source has" })
      }).annotate({ description: "Profit and loss of all tokens" })
    })
  ).annotate({ description: "Null where it was not asked for" }),
  liquidityPositions: Schema.Array(LiquidityPositionBody).annotate({
    description: "With NFTs: positions of Uniswap V3 in listed tokens, with amounts and unclaimed fees"
  }),
  lendingPositions: Schema.Array(LendingPositionBody).annotate({ description: "By chain and provider" }),
  asOf: instant("When the answer was made"),
  unread: Schema.Array(UnreadChainBody).annotate({
    description: "Chains that did not answer, in full or in part: what is there is not known"
  })
}).annotate({ identifier: "Portfolio", description: "The balances of a wallet, their value, profit and loss" })

export const PortfolioChartResponse = Schema.Struct({
  timerange,
  points: Schema.Array(
    Schema.Struct({
      at: instant("The time"),
      valueUsd: textOrNull("In US dollars; null where no token has a price at each of the times")
    })
  ).annotate({ description: "Oldest first, some 25 to 60 of them; the last is now" }),
  leftOut: Schema.Array(TokenBody).annotate({
    description: "Tokens that are in no point: their price at one of the times is not known, or came too late"
  }),
  asOf: instant("When the answer was made"),
  unread: Schema.Array(UnreadChainBody).annotate({
    description: "Chains that did not answer: what is there is in no point"
  })
}).annotate({ identifier: "PortfolioChart", description: "The value of a wallet over time" })
