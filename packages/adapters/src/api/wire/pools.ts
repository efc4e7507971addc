import { AddressText, described } from "@countersign/core/foundation/primitives"
import { Schema } from "effect"
import { flag, hex, instantOrNull, link, number, numberOrNull, text, textOrNull } from "./fields.ts"
import { ChainBody } from "./resources.ts"
import { chainIdText, intText, numberText } from "./scalars.ts"

const rangeInDays = intText({ minimum: 1, maximum: 365, default: 30 }, "Days that the statistics are of")

export const PoolQuery = { rangeInDays }

export const PoolsQuery = {
  chainId: chainIdText("Chain of the pools"),
  token0: Schema.optionalKey(AddressText.pipe(described("A token of the pools, which must be listed"))),
  token1: Schema.optionalKey(AddressText.pipe(described("The other token. The order of the two does not matter"))),
  fee: Schema.optionalKey(numberText({ minimum: 0, maximum: 100 }, "Fee of the pools in percent, such as 0.05")),
  rangeInDays,
  take: intText({ minimum: 1, maximum: 100, default: 20 }, "Pools of a page at most"),
  lastId: Schema.optionalKey(Schema.String.pipe(described("`nextLastId` of the previous page")))
}

const PoolTokenBody = Schema.Struct({
  name: text("Full name"),
  symbol: text("Short name, such as USDC"),
  decimals: number("Digits after the point"),
  address: hex("Its contract"),
  poolShareInPercentage: numberOrNull("Its part of the pool's value in percent; null where a price is not known"),
  poolShare: numberOrNull("The same as a part of 1"),
  amount: text("What the pool has of it in whole tokens, uncollected fees included"),
  logo: link("Its logo, served by this service")
}).annotate({ identifier: "LiquidityPoolToken", description: "A token of a pool, and the pool's balance of it" })

const PoolStatsBody = Schema.Struct({
  rangeInDays: number("Days that they are of: whole hours, the current one included"),
  feesInUSD: textOrNull("What swaps and flash loans paid in fees; null where it is not known"),
  volumeInUSD: textOrNull("What was swapped; null where it is not known"),
  transactionsCount: numberOrNull("Transactions that swapped or changed liquidity; null where it is not known"),
  volumes: Schema.NullOr(Schema.Array(Schema.String)).annotate({
    description: "What was swapped in whole tokens, of each token of `tokens`; null where it is not known"
  }),
  fees: Schema.NullOr(Schema.Array(Schema.String)).annotate({
    description: "The fees in whole tokens, of each token of `tokens`; null where they are not known"
  }),
  indexedFrom: instantOrNull("Events since this time are indexed; null before the first block is indexed"),
  complete: flag("Whether the index is complete: back to the pool's first block, or for more than a year")
}).annotate({
  identifier: "LiquidityPoolStats",
  description: "Statistics of a pool. A time range that is not indexed yet is null, not zero"
})

export const providerFields = (explorerURL: string) => ({
  id: text("Name of the provider in requests"),
  name: text("Name of the exchange"),
  logoUrl: link("Its logo, served by this service"),
  explorerURL: link(explorerURL)
})

export const LiquidityPoolBody = Schema.Struct({
  id: text("Id of the pool: the chain's id, a hyphen and its address"),
  provider: Schema.Struct(providerFields("The pool in a block explorer")).annotate({
    description: "The provider of the pool"
  }),
  address: hex("Its contract"),
  chain: ChainBody,
  fee: number("What a swap pays, in percent"),
  price: text("Whole token1 for one whole token0, at this moment"),
  totalValueLockedUSD: textOrNull("What the pool has in US dollars; null where a price is not known"),
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
