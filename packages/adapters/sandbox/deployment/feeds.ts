import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Address } from "@countersign/core/foundation/primitives"
import { parseAbi } from "viem"
import { priceFeedsOf } from "../../src/chains/deployments/index.ts"
import type { Artifacts } from "../contracts/index.ts"
import { callsOf, type Transaction } from "./block.ts"
import { type InPlaceDeployment, initCodeOf } from "./InPlaceDeployment.ts"
import { sandboxTokens } from "./market.ts"

/** Chainlink's test aggregator, which has the interface of the production contract and a settable price. */
const aggregatorCall = callsOf(
  parseAbi(["function updateRoundData(uint80 roundId, int256 answer, uint256 timestamp, uint256 startedAt)"])
)

/** Decimals of the sandbox's USD feeds. */
const USD_DECIMALS = 8

/** Returns the price feeds of the chain's sandbox tokens, with their market prices. */
const sandboxFeeds = (chainId: EvmChainId): ReadonlyArray<{ readonly feed: Address; readonly answer: bigint }> => {
  const prices = new Map(sandboxTokens(chainId).map(({ address, priceUsd8 }) => [address, priceUsd8]))
  const feeds = priceFeedsOf(chainId).feeds.flatMap(({ decimals, feed, token }) => {
    const priceUsd8 = prices.get(token)
    return priceUsd8 === undefined
      ? []
      : [[feed, (priceUsd8 * 10n ** BigInt(decimals)) / 10n ** BigInt(USD_DECIMALS)] as const]
  })
  return [...new Map(feeds)].map(([feed, answer]) => ({ feed, answer }))
}

const aggregator = (artifacts: Artifacts, address: Address, decimals: number, answer: bigint): InPlaceDeployment => ({
  address,
  initCode: initCodeOf(artifacts.Aggregator, decimals, answer)
})

/** Deploys price feeds at their production addresses, and the sequencer uptime feed if the chain has one. */
export const feedPlacements = (artifacts: Artifacts, chainId: EvmChainId): ReadonlyArray<InPlaceDeployment> => {
  const { sequencerUptimeFeed } = priceFeedsOf(chainId)
  return [
    ...sandboxFeeds(chainId).map(({ answer, feed }) => aggregator(artifacts, feed, USD_DECIMALS, answer)),
    ...(sequencerUptimeFeed === null ? [] : [aggregator(artifacts, sequencerUptimeFeed, 0, 0n)])
  ]
}

/** Returns the transactions that report the sequencer as up (answer 0) since the Unix epoch. */
export const sequencerTransactions = (chainId: EvmChainId, from: Address): ReadonlyArray<Transaction> => {
  const { sequencerUptimeFeed } = priceFeedsOf(chainId)
  return sequencerUptimeFeed === null
    ? []
    : [aggregatorCall(from, sequencerUptimeFeed, "updateRoundData", [1n, 0n, 1n, 1n])]
}
