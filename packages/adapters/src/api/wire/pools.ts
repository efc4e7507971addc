import { AddressText, described } from "@countersign/core/foundation/primitives"
import { Schema } from "effect"
import { flag, hex, instantOrNull, link, number, numberOrNull, text, textOrNull } from "./fields.ts"
import { ChainBody } from "./resources.ts"
import { chainIdText, intText, numberText } from "./scalars.ts"

const rangeInDays = intText({ minimum: 1, maximum: 365, default: 30 }, "Number of days of the statistics")

export const PoolQuery = { rangeInDays }

export const PoolsQuery = {
  chainId: chainIdText("Chain of the pools"),
  token0: Schema.optionalKey(AddressText.pipe(described("A token of the pools, which must be listed"))),
  token1: Schema.optionalKey(AddressText.pipe(described("The other token. The order of the two does not matter"))),
  fee: Schema.optionalKey(numberText({ minimum: 0, maximum: 100 }, "Fee of the pools in percent, such as 0.05")),
  rangeInDays,
  take: intText({ minimum: 1, maximum: 100, default: 20 }, "Pools on a page, at most"),
  lastId: Schema.optionalKey(Schema.String.pipe(described("`nextLastId` of the previous page")))
}

const PoolTokenBody = Schema.Struct({
  name: text("Full name"),
  symbol: text("Short name, such as USDC"),
  decimals: number("Decimals"),
  address: hex("Contract of the token"),
  poolShareInPercentage: numberOrNull("Share of the token in the pool's value, in percent; null if a price is unknown"),
  poolShare: numberOrNull("Share of the token in the pool's value, as a fraction of 1"),
  amount: text("The pool's balance in whole tokens, uncollected fees included"),
  logo: link("Logo of the token, served by this service")
}).annotate({ identifier: "LiquidityPoolToken", description: "A token of a pool, and the pool's balance of it" })

const PoolStatsBody = Schema.Struct({
  rangeInDays: number("Number of days of the statistics, in whole hours including the current hour"),
  feesInUSD: textOrNull("Fees of swaps and flash loans; null if unknown"),
  volumeInUSD: textOrNull("Swapped volume; null if unknown"),
  transactionsCount: numberOrNull("Transactions that swapped or changed liquidity; null if unknown"),
  volumes: Schema.NullOr(Schema.Array(Schema.String)).annotate({
    description: "Swapped volume in whole tokens, for each token of `tokens`; null if unknown"
  }),
  fees: Schema.NullOr(Schema.Array(Schema.String)).annotate({
    description: "The fees in whole tokens, for each token of `tokens`; null if unknown"
  }),
  indexedFrom: instantOrNull("Events since this time are indexed; null before the first block is indexed"),
  complete: flag("Whether the index is complete: back to the pool's first block, or for more than a year")
}).annotate({
  identifier: "LiquidityPoolStats",
  description: "Statistics of a pool. Figures of a time range that is not indexed yet are null, not zero"
})

export const providerFields = (explorerURL: string) => ({
  id: text("Name of the provider in requests"),
  name: text("Name of the exchange"),
  logoUrl: link("Logo of the exchange, served by this service"),
  explorerURL: link(explorerURL)
})

export const LiquidityPoolBody = Schema.Struct({
  id: text("Id of the pool: the chain's id, a hyphen and its address"),
  provider: Schema.Struct(providerFields("The pool in a block explorer")).annotate({
    description: "The provider of the pool"
  }),
  address: hex("Contract of the pool"),
  chain: ChainBody,
  fee: number("Fee of a swap, in percent"),
  price: text("Current price: whole tokens of token1 for one whole token0"),
  totalValueLockedUSD: textOrNull("Value of the pool in US dollars; null if a price is unknown"),
  tokens: Schema.Array(PoolTokenBody).annotate({ description: "token0 and token1" }),
  stats: PoolStatsBody
}).annotate({ identifier: "LiquidityPool", description: "A pool of two tokens" })

export const PoolResponse = Schema.Struct({ pool: LiquidityPoolBody }).annotate({
  identifier: "LiquidityPoolResponse",
  description: "A pool with its statistics"
})

export const PoolsResponse = Schema.Struct({
  pools: Schema.Array(LiquidityPoolBody).annotate({ description: "The most valuable first" }),
  nextLastId: textOrNull("`lastId` of the next page; null on the last one")
}).annotate({ identifier: "LiquidityPools", description: "A page of pools" })
