import { type EvmChainId, EvmChainId as EvmChainIdSchema } from "@countersign/core/foundation/chains"
import { Address } from "@countersign/core/foundation/primitives"
import { Schema } from "effect"
import feedRows from "./priceFeeds.json" with { type: "json" }

/** A Chainlink feed of US dollars for one whole token: the proxy, which stays when the aggregator behind it changes. */
export const PriceFeed = Schema.Struct({
  /** The token that is priced. Several tokens of one asset may share a feed. */
  token: Address,
  pair: Schema.String,
  feed: Address,
  /** Decimals of its answers. */
  decimals: Schema.Int
})
export type PriceFeed = typeof PriceFeed.Type

const ChainFeeds = Schema.Struct({
  chainId: EvmChainIdSchema,
  /** Says whether the chain's sequencer is up; null where the chain has none to be told of. */
  sequencerUptimeFeed: Schema.NullOr(Address),
  feeds: Schema.Array(PriceFeed)
})
export type ChainFeeds = typeof ChainFeeds.Type

// Source: @chainlink/mcp-server 0.0.1-alpha.17 (published by Chainlink). Where it lists several feeds of a pair, the one
// that other packages know too; a bridged dollar that is no issuer's own has none.
const rows = Schema.decodeUnknownSync(Schema.Array(ChainFeeds))(feedRows)

const feedsByChain = new Map(rows.map((row) => [row.chainId, row]))

export const priceFeedsOf = (chainId: EvmChainId): ChainFeeds => feedsByChain.get(chainId)!

const BITCOIN_PAIRS = ["BTC / USD", "WBTC / USD"]

/** The chains and tokens whose feeds report Bitcoin's price. The feeds of Bitcoin come before those of its wrapped form. */
export const bitcoinFeeds = BITCOIN_PAIRS.flatMap((bitcoinPair) =>
  rows.flatMap(({ chainId, feeds }) =>
    feeds.filter(({ pair }) => pair === bitcoinPair).map(({ token }) => ({ chainId, token }))
  )
)
