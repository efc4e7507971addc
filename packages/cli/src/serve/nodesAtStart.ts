import { lackOf, observeContracts } from "@countersign/adapters/chains/chain-contracts"
import { type NodeProbe, probeNodes } from "@countersign/adapters/chains/diagnosis"
import { RpcClientsLayer } from "@countersign/adapters/chains/evm"
import type { Settings } from "@countersign/adapters/service/composition"
import { SettingInvalid } from "@countersign/adapters/service/settings"
import { chainOf, type EvmChainId } from "@countersign/core/foundation/chains"
import { Effect } from "effect"

/** The nodes of a chain, as they answer now. */
export interface ChainAtStart {
  readonly chainId: EvmChainId
  readonly nodes: ReadonlyArray<NodeProbe>
  /** What the chain lacks, in words, and whether anybody can put some of it there; empty where no node has answered. */
  readonly lacks: ReadonlyArray<string>
  readonly canBePrepared: boolean
}

/** A start waits no longer for nodes that are silent: they may come back. */
const TIMEOUT_MS = 2_000

const refuseOtherChain = ({ chainId, nodes }: ChainAtStart) => {
  const other = nodes.find((node) => node._tag === "OtherChain")
  if (other === undefined) return Effect.void
  const expected = `a list of nodes of ${chainOf(chainId).name} (${chainId}): ${other.host} is a node of chain ${other.chainId}`
  return Effect.fail(new SettingInvalid({ name: `RPC_URL_${chainId}`, expected }))
}

/** Asks the nodes that settings name for their chains. Fails where one is of another chain, and not where one is silent. */
export const nodesAtStart = Effect.fnUntraced(function* (
  chainIds: ReadonlyArray<EvmChainId>,
  rpcUrls: Settings["rpcUrls"]
) {
  const chains = yield* Effect.forEach(
    chainIds,
    (chainId) =>
      Effect.all(
        {
          nodes: probeNodes(chainId, rpcUrls(chainId), { timeoutMs: TIMEOUT_MS, maxLagBlocks: 10, asksWay: false }),
          contracts: Effect.orElseSucceed(observeContracts(chainId), () => [])
        },
        { concurrency: 2 }
      ).pipe(
        Effect.map(
          ({ contracts, nodes }): ChainAtStart => ({
            chainId,
            nodes,
            lacks: lackOf(contracts),
            canBePrepared: contracts.some(({ isForAnybody, isThere }) => isForAnybody && !isThere)
          })
        )
      ),
    { concurrency: "unbounded" }
  ).pipe(Effect.provide(RpcClientsLayer({ urls: rpcUrls, timeoutMs: TIMEOUT_MS, deadlineMs: TIMEOUT_MS, rounds: 1 })))
  yield* Effect.forEach(chains, refuseOtherChain)
  return chains
})
