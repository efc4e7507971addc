import type { Settings } from "@countersign/adapters/composition"
import { type NodeProbe, probeNodes } from "@countersign/adapters/diagnosis"
import { SettingInvalid } from "@countersign/adapters/settings"
import { chainOf, type EvmChainId } from "@countersign/core/chains"
import { Effect } from "effect"

/** The nodes of a chain, as they answer now. */
export interface ChainAtStart {
  readonly chainId: EvmChainId
  readonly nodes: ReadonlyArray<NodeProbe>
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
      Effect.map(
        probeNodes(chainId, rpcUrls(chainId), { timeoutMs: TIMEOUT_MS, maxLagBlocks: 10, asksWay: false }),
        (nodes): ChainAtStart => ({ chainId, nodes })
      ),
    { concurrency: "unbounded" }
  )
  yield* Effect.forEach(chains, refuseOtherChain)
  return chains
})
