import { type EvmChainId, EvmChainId as EvmChainIdSchema } from "@countersign/core/foundation/chains"
import { Address } from "@countersign/core/foundation/primitives"
import { Schema } from "effect"
import feedRows from "./priceFeeds.json" with { type: "json" }

/**
 * A Chainlink feed of the price of one whole token in US dollars. The address is the feed's proxy, which does not
 * change when the aggregator changes.
 */
export const PriceFeed = Schema.Struct({
  /** The priced token. Several tokens of one asset may use the same feed. */
  token: Address,
  pair: Schema.String,
  feed: Address,
  /** Decimals of the feed's results. */
  decimals: Schema.Int
})
export type PriceFeed = typeof PriceFeed.Type

const ChainFeeds = Schema.Struct({
  chainId: EvmChainIdSchema,
  /** The feed of the sequencer's uptime; null for a chain without such a feed. */
  sequencerUptimeFeed: Schema.NullOr(Address),
  feeds: Schema.Array(PriceFeed)
})
export type ChainFeeds = typeof ChainFeeds.Type

// Source: @chainlink/mcp-server 0.0.1-alpha.17 (published by Chainlink). If it lists several feeds of a pair, the one
// that other packages also contain; a bridged US dollar token that no issuer backs directly has none.
const rows = Schema.decodeUnknownSync(Schema.Array(ChainFeeds))(feedRows)

const feedsByChain = new Map(rows.map((row) => [row.chainId, row]))

export const priceFeedsOf = (chainId: EvmChainId): ChainFeeds => feedsByChain.get(chainId)!

const BITCOIN_PAIRS = ["BTC / USD", "WBTC / USD"]

/**
 * The chains and tokens whose feeds report Bitcoin's price. Feeds of Bitcoin itself precede feeds of wrapped Bitcoin.
 */
export const bitcoinFeeds = BITCOIN_PAIRS.flatMap((bitcoinPair) =>
  rows.flatMap(({ chainId, feeds }) =>
    feeds.filter(({ pair }) => pair === bitcoinPair).map(({ token }) => ({ chainId, token }))
  )
)
