import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Address } from "@countersign/core/foundation/primitives"
import type { SkippedPool } from "@countersign/core/trading/swap"
import { Effect } from "effect"
import { decodeEventLog, encodeEventTopics, type PublicClient, pad } from "viem"
import { deploymentOf } from "../../chains/deployments/index.ts"
import { RpcClients } from "../../chains/evm/index.ts"
import { poolManagerAbi } from "./abi.ts"
import { UNISWAP_V4, ZERO_ADDRESS } from "./poolKeys.ts"

const skippedExchanges: Partial<Record<EvmChainId, ReadonlyArray<SkippedPool>>> = {
  8453: [
    {
      venue: "Aerodrome Slipstream",
      poolId: null,
      reason: "its fee differs between swaps and between senders"
    }
  ]
}

/** Value of a V4 fee that marks a dynamic fee, which a hook sets. */
const DYNAMIC_FEE = 0x800000

const [initializeTopic] = encodeEventTopics({ abi: poolManagerAbi, eventName: "Initialize" })

const reasonOf = (fee: number, tickSpacing: number, hooks: string): string =>
  hooks !== ZERO_ADDRESS
    ? `it has a hook (${hooks})${fee === DYNAMIC_FEE ? ", which sets its fee" : ""}`
    : `quotes do not use its fee of ${fee / 10_000} % with a tick spacing of ${tickSpacing}`

const readInitializeEvents = async (
  client: PublicClient,
  poolManager: Address,
  pairs: ReadonlyArray<readonly [Address, Address]>
) => {
  const logs = await Promise.all(
    pairs.map(([currency0, currency1]) =>
      client.request({
        method: "eth_getLogs",
        params: [
          {
            address: poolManager,
            topics: [initializeTopic!, null, pad(currency0), pad(currency1)],
            fromBlock: "0x0",
            toBlock: "latest"
          }
        ]
      })
    )
  )
  return logs
    .flat()
    .map(
      ({ data, topics: [signature = initializeTopic!, ...indexed] }) =>
        decodeEventLog({ abi: poolManagerAbi, eventName: "Initialize", data, topics: [signature, ...indexed] }).args
    )
}

/**
 * Finds pools of the token pairs that exist on-chain but that quotes do not use. Searches for them with `eth_getLogs`
 * from block 0. If the node rejects the query, one entry reports that the Uniswap V4 pools are unknown.
 */
export const skippedPoolsOf = Effect.fnUntraced(function* (
  chainId: EvmChainId,
  pairs: ReadonlyArray<readonly [Address, Address]>,
  usedIds: ReadonlySet<string>
) {
  const rpc = yield* RpcClients
  const poolManager = deploymentOf(chainId).uniswapV4?.poolManager
  const exchangesOnChain = skippedExchanges[chainId] ?? []
  if (poolManager === undefined) return exchangesOnChain
  const unknownPools: SkippedPool = {
    venue: UNISWAP_V4,
    poolId: null,
    reason:
      "pools with hooks or non-standard fees are unknown: the node returned no `Initialize` logs from block 0. Use an archive node or one without a range limit for `eth_getLogs`"
  }
  const pools = yield* rpc
    .call(chainId, (client) => readInitializeEvents(client, poolManager, pairs))
    .pipe(
      Effect.map((poolEvents) =>
        poolEvents
          .filter(({ id }) => !usedIds.has(id))
          .map(({ fee, hooks, id, tickSpacing }) => ({
            venue: UNISWAP_V4,
            poolId: id as string,
            reason: reasonOf(fee, tickSpacing, hooks.toLowerCase())
          }))
      ),
      Effect.orElseSucceed((): ReadonlyArray<SkippedPool> => [unknownPools])
    )
  return [...exchangesOnChain, ...pools]
})
