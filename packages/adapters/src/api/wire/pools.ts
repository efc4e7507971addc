import { AddressText, withDescription } from "@countersign/core/foundation/primitives"
import { Schema } from "effect"
import { flag, hex, instantOrNull, link, number, numberOrNull, text, textOrNull } from "./fields.ts"
import { ChainBody } from "./resources.ts"
import { chainIdText, intText, numberText } from "./scalars.ts"

const rangeInDays = intText({ minimum: 1, maximum: 365, default: 30 }, "Number of days that the statistics cover")

export const PoolQuery = { rangeInDays }

export const PoolsQuery = {
  chainId: chainIdText("Id of the pools' chain"),
  token0: Schema.optionalKey(
    AddressText.pipe(withDescription("Only pools with this token, which must be a listed token"))
  ),
  token1: Schema.optionalKey(
    AddressText.pipe(
      withDescription("Only pools with this other token. The order of `token0` and `token1` does not matter")
    )
  ),
  fee: Schema.optionalKey(numberText({ minimum: 0, maximum: 100 }, "Fee of the pools in percent, such as 0.05")),
  rangeInDays,
  take: intText({ minimum: 1, maximum: 100, default: 20 }, "Maximum number of pools on a page"),
  lastId: Schema.optionalKey(Schema.String.pipe(withDescription("`nextLastId` of the previous page")))
}

const PoolTokenBody = Schema.Struct({
  name: text("Full name"),
  symbol: text("Symbol, such as USDC"),
  decimals: number("Decimals"),
  address: hex("Contract of the token"),
  poolShareInPercentage: numberOrNull("Share of the token in the pool's value, in percent; null if a price is unknown"),
  poolShare: numberOrNull(
    "Share of the token in the pool's value, as a fraction from 0 to 1; null if a price is unknown"
  ),
  amount: text("The pool's balance, including uncollected fees, in token units"),
  logo: link("Logo of the token, served by this service")
}).annotate({
  identifier: "LiquidityPoolToken",
  description: "A token of a pool, and the pool's balance in this token"
})

const PoolStatsBody = Schema.Struct({
  rangeInDays: number(
    "Number of days that the statistics cover. The period consists of full hours and the current hour"
  ),
  feesInUSD: textOrNull("Fees of swaps and flash loans, in US dollars; null if unknown"),
  volumeInUSD: textOrNull("Swap volume in US dollars; null if unknown"),
  transactionsCount: numberOrNull("Number of transactions that swapped or changed liquidity; null if unknown"),
  volumes: Schema.NullOr(Schema.Array(Schema.String)).annotate({
    description: "Swap volume of each token of `tokens`, in token units; null if unknown"
  }),
  fees: Schema.NullOr(Schema.Array(Schema.String)).annotate({
    description: "Fees in each token of `tokens`, in token units; null if unknown"
  }),
  indexedFrom: instantOrNull("Events since this time are indexed; null before the first block is indexed"),
  complete: flag("Whether the index is complete: it covers all events since the pool's creation, or more than a year")
}).annotate({
  identifier: "LiquidityPoolStats",
  description: "Statistics of a pool. Figures for a time range that is not indexed yet are null, not zero"
})

export const providerFields = (explorerURL: string) => ({
  id: text("Provider id. Requests use the same value"),
  name: text("Name of the exchange"),
  logoUrl: link("Logo of the exchange, served by this service"),
  explorerURL: link(explorerURL)
})

export const LiquidityPoolBody = Schema.Struct({
  id: text("Id of the pool: chain id, hyphen, pool address"),
  provider: Schema.Struct(providerFields("The pool in a block explorer")).annotate({
    description: "The provider of the pool"
  }),
  address: hex("Contract of the pool"),
  chain: ChainBody,
  fee: number("Fee of a swap, in percent"),
  price: text("Current price, in token1 per token0"),
  totalValueLockedUSD: textOrNull("Value of the pool in US dollars; null if a price is unknown"),
  tokens: Schema.Array(PoolTokenBody).annotate({ description: "token0 and token1" }),
  stats: PoolStatsBody
}).annotate({ identifier: "LiquidityPool", description: "A Uniswap V3 pool" })

export const PoolResponse = Schema.Struct({ pool: LiquidityPoolBody }).annotate({
  identifier: "LiquidityPoolResponse",
  description: "A pool with its statistics"
})

export const PoolsResponse = Schema.Struct({
  pools: Schema.Array(LiquidityPoolBody).annotate({ description: "Sorted by value, highest first" }),
  nextLastId: textOrNull("Cursor: set `lastId` to this value to get the next page; null on the last page")
}).annotate({ identifier: "LiquidityPools", description: "A page of pools" })
