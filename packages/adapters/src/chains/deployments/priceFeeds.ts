import { type EvmChainId, EvmChainId as EvmChainIdSchema } from "@countersign/core/foundation/chains"
import { Address } from "@countersign/core/foundation/primitives"
import { Schema } from "effect"
import feedRows from "./priceFeeds.json" with { type: "json" }

/**
 * A Chainlink feed with the US dollar price of one token. The address is the feed's proxy, which stays the same when
 * the aggregator changes.
 */
export const PriceFeed = Schema.Struct({
  /** The priced token. Several tokens that represent the same asset may use one feed. */
  token: Address,
  pair: Schema.String,
  feed: Address,
  /** Decimals of the feed's answers. */
  decimals: Schema.Int
})
export type PriceFeed = typeof PriceFeed.Type

const ChainFeeds = Schema.Struct({
  chainId: EvmChainIdSchema,
  /** Feed of the L2 sequencer's uptime; null if the chain has no such feed. */
  sequencerUptimeFeed: Schema.NullOr(Address),
  feeds: Schema.Array(PriceFeed)
})
export type ChainFeeds = typeof ChainFeeds.Type

// Source: @chainlink/mcp-server 0.0.1-alpha.17, which Chainlink publishes. If the package has several feeds for a pair,
// this list contains the feed that other packages also contain. A bridged US dollar token that no issuer backs directly
// has no feed.
const rows = Schema.decodeUnknownSync(Schema.Array(ChainFeeds))(feedRows)

const feedsByChain = new Map(rows.map((row) => [row.chainId, row]))

export const priceFeedsOf = (chainId: EvmChainId): ChainFeeds => feedsByChain.get(chainId)!

const BITCOIN_PAIRS = ["BTC / USD", "WBTC / USD"]

/**
 * Chains and tokens whose feeds return Bitcoin's price. Feeds of Bitcoin itself come before feeds of wrapped Bitcoin.
 */
export const bitcoinFeeds = BITCOIN_PAIRS.flatMap((bitcoinPair) =>
  rows.flatMap(({ chainId, feeds }) =>
    feeds.filter(({ pair }) => pair === bitcoinPair).map(({ token }) => ({ chainId, token }))
  )
)
