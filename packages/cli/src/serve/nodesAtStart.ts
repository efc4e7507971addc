import { missingFeatures, observeContracts } from "@countersign/adapters/chains/chain-contracts"
import { type NodeProbe, probeNodes } from "@countersign/adapters/chains/diagnosis"
import { RpcClientsLayer } from "@countersign/adapters/chains/evm"
import type { Settings } from "@countersign/adapters/service/composition"
import { SettingInvalid } from "@countersign/adapters/service/settings"
import { chainOf, type EvmChainId } from "@countersign/core/foundation/chains"
import { Effect } from "effect"

/** The configured nodes of a chain, with their responses at the start. */
export interface ChainAtStart {
  readonly chainId: EvmChainId
  readonly nodes: ReadonlyArray<NodeProbe>
  /** Descriptions of the missing contracts, and whether anyone can deploy them. Empty if no node responded. */
  readonly lacks: ReadonlyArray<string>
  readonly canBePrepared: boolean
}

/** Timeout of the nodes in milliseconds. It is short, because the service also starts if nodes do not respond. */
const TIMEOUT_MS = 2_000

const requireExpectedChain = ({ chainId, nodes }: ChainAtStart) => {
  const foreignNode = nodes.find((node) => node._tag === "OtherChain")
  if (foreignNode === undefined) return Effect.void
  const expected = `a list of nodes of ${chainOf(chainId).name} (${chainId}), because ${foreignNode.host} is a node of chain ${foreignNode.chainId}`
  return Effect.fail(new SettingInvalid({ name: `RPC_URL_${chainId}`, expected }))
}

/**
 * Queries the chain id of each configured node. Fails if a node belongs to another chain, but not if a node does not
 * respond.
 */
export const nodesAtStart = Effect.fnUntraced(function* (
  chainIds: ReadonlyArray<EvmChainId>,
  rpcUrls: Settings["rpcUrls"]
) {
  const chains = yield* Effect.forEach(
    chainIds,
    (chainId) =>
      Effect.all(
        {
          nodes: probeNodes(chainId, rpcUrls(chainId), {
            timeoutMs: TIMEOUT_MS,
            maxLagBlocks: 10,
            detectsSimulationMethod: false
          }),
          contracts: Effect.orElseSucceed(observeContracts(chainId), () => [])
        },
        { concurrency: 2 }
      ).pipe(
        Effect.map(
          ({ contracts, nodes }): ChainAtStart => ({
            chainId,
            nodes,
            lacks: missingFeatures(contracts),
            canBePrepared: contracts.some(({ isDeployableByAnyone, isDeployed }) => isDeployableByAnyone && !isDeployed)
          })
        )
      ),
    { concurrency: "unbounded" }
  ).pipe(Effect.provide(RpcClientsLayer({ urls: rpcUrls, timeoutMs: TIMEOUT_MS, deadlineMs: TIMEOUT_MS, rounds: 1 })))
  yield* Effect.forEach(chains, requireExpectedChain)
  return chains
})
