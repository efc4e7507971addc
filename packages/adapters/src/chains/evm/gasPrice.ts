import type { PublicClient } from "viem"

export interface SuggestedFees {
  readonly blockNumber: bigint
  readonly baseFeePerGas: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** Number of blocks whose median priority fees are used if the node suggests none. */
const SAMPLED_BLOCKS = 5
const MEDIAN_PERCENTILE = 50

/**
 * Returns the next block's base fee and the fees to offer: twice the base fee plus the node's suggested priority fee.
 * The base fee can double within six full blocks, and a signed operation usually waits less.
 *
 * `eth_feeHistory` also returns the block number. On Arbitrum a contract's `block.number` would be that of the parent
 * chain, and its `block.basefee` is zero in an `eth_call` without a gas price.
 */
export const suggestedFees = async (client: PublicClient): Promise<SuggestedFees> => {
  const [history, suggestedTip] = await Promise.all([
    client.request({
      method: "eth_feeHistory",
      params: [`0x${SAMPLED_BLOCKS.toString(16)}`, "latest", [MEDIAN_PERCENTILE]]
    }),
    client.request({ method: "eth_maxPriorityFeePerGas" }).catch(() => null)
  ])
  const sampleCount = history.gasUsedRatio.length
  const baseFeePerGas = BigInt(history.baseFeePerGas[sampleCount] ?? history.baseFeePerGas.at(-1) ?? "0x0")
  const tips = (history.reward ?? []).map(([tip]) => BigInt(tip ?? "0x0")).sort((a, b) => (a < b ? -1 : 1))
  const maxPriorityFeePerGas = suggestedTip === null ? (tips[tips.length >> 1] ?? 0n) : BigInt(suggestedTip)
  return {
    blockNumber: BigInt(history.oldestBlock) + BigInt(sampleCount) - 1n,
    baseFeePerGas,
    maxFeePerGas: 2n * baseFeePerGas + maxPriorityFeePerGas,
    maxPriorityFeePerGas
  }
}
