import type { ServiceProbe } from "@countersign/adapters/chains/diagnosis"
import type { Settings } from "@countersign/adapters/service/composition"
import { type EvmChainId, evmChainIds } from "@countersign/core/foundation/chains"
import { Effect } from "effect"
import { type CheckResult, observe } from "../Observed.ts"
import { usableUrls } from "./configuration.ts"

/** Queries all served chains concurrently. Returns the results in the chain order of the API. */
export const queryChains = <A, E, R>(settings: Settings, observe: (chainId: EvmChainId) => Effect.Effect<A, E, R>) => {
  const activeChainIds = settings.activeChains()
  return Effect.forEach(
    evmChainIds.filter((id) => activeChainIds.includes(id)),
    observe,
    { concurrency: "unbounded" }
  )
}

const SERVICE_TIMEOUT_MS = 4_000

/** Queries each host of a service. Returns the responses in failover order. */
const queryHosts = (
  urls: ReadonlyArray<string> | undefined,
  probe: (url: string, timeoutMs: number) => Effect.Effect<ServiceProbe>
) => Effect.forEach(usableUrls(urls ?? []), (url) => probe(url, SERVICE_TIMEOUT_MS), { concurrency: 8 })

/**
 * The state of a bundler or a paymaster on a chain: the funds of the built-in service, or the responses of external
 * hosts.
 */
export type ServiceState<Own, Funds> =
  | (Own & { readonly _tag: "Self"; readonly chainId: EvmChainId; readonly funds: CheckResult<Funds> })
  | { readonly _tag: "Rpc"; readonly chainId: EvmChainId; readonly hosts: ReadonlyArray<ServiceProbe> }

/** Reads the funds of the built-in service on each chain. */
export const readServiceFunds = <Own, Funds, E, R>(
  settings: Settings,
  own: Own,
  deadlineMs: number,
  probe: (chainId: EvmChainId) => Effect.Effect<Funds, E, R>
) =>
  queryChains(settings, (chainId) =>
    Effect.map(
      observe(probe(chainId), deadlineMs),
      (funds): ServiceState<Own, Funds> => ({ ...own, _tag: "Self", chainId, funds })
    )
  )

/** Queries the external hosts on each chain. */
export const hostResponses = (
  settings: Settings,
  urls: ReadonlyMap<EvmChainId, ReadonlyArray<string>>,
  probe: (url: string, timeoutMs: number) => Effect.Effect<ServiceProbe>
) =>
  queryChains(settings, (chainId) =>
    Effect.map(queryHosts(urls.get(chainId), probe), (hosts) => ({ _tag: "Rpc" as const, chainId, hosts }))
  )
