import type { Settings } from "@countersign/adapters/composition"
import type { ServiceProbe } from "@countersign/adapters/diagnosis"
import { type EvmChainId, evmChainIds } from "@countersign/core/chains"
import { Effect } from "effect"
import { usableUrls } from "./configuration.ts"

/** Of each chain that the service works on, in the order of the contract; all at once. */
export const onChains = <A, E, R>(settings: Settings, observe: (chainId: EvmChainId) => Effect.Effect<A, E, R>) => {
  const active = settings.activeChains()
  return Effect.forEach(
    evmChainIds.filter((id) => active.includes(id)),
    observe,
    { concurrency: "unbounded" }
  )
}

const SERVICE_TIMEOUT_MS = 4_000

/** How each host of a service answers, in the order in which it is preferred. */
export const onHosts = (
  urls: ReadonlyArray<string> | undefined,
  probe: (url: string, timeoutMs: number) => Effect.Effect<ServiceProbe>
) => Effect.forEach(usableUrls(urls ?? []), (url) => probe(url, SERVICE_TIMEOUT_MS), { concurrency: 8 })
