import { Effect } from "effect"
import { accountContracts } from "../deployments/index.ts"
import { type ProbeFailure, probeHost } from "./probeHost.ts"

export type ServiceProbe =
  | {
      readonly _tag: "Answered"
      readonly host: string
      /** Null if the bundler or paymaster does not return a chain id. */
      readonly chainId: number | null
      /**
       * EntryPoint versions that the service needs but the bundler does not support; empty if the bundler was not
       * queried.
       */
      readonly missingEntryPoints: ReadonlyArray<"0.7" | "0.8">
    }
  | { readonly _tag: "Failed"; readonly host: string; readonly failure: ProbeFailure }

const entryPoints = [
  ["0.7", accountContracts.entryPoint07],
  ["0.8", accountContracts.entryPoint08]
] as const

const missingEntryPoints = (supported: unknown): ReadonlyArray<"0.7" | "0.8"> => {
  const addresses = new Set(Array.isArray(supported) ? supported.map((address) => String(address).toLowerCase()) : [])
  return entryPoints.flatMap(([version, address]) => (addresses.has(address) ? [] : [version]))
}

/** Returns the chain id, or null for an error response. An error response also shows that the host speaks JSON-RPC. */
const chainOrNull = (response: Effect.Effect<unknown, ProbeFailure>) =>
  response.pipe(
    Effect.map((chainId): number | null => Number(chainId)),
    Effect.catchIf(
      ({ _tag }) => _tag === "Refused",
      () => Effect.succeed(null)
    )
  )

const catchProbeFailure = (host: string) => (probe: Effect.Effect<ServiceProbe, ProbeFailure>) =>
  Effect.catch(probe, (failure) => Effect.succeed<ServiceProbe>({ _tag: "Failed", host, failure }))

/** Checks whether a bundler responds, and reads its chain and EntryPoints. */
export const probeBundler = (url: string, timeoutMs: number): Effect.Effect<ServiceProbe> => {
  const { request, host } = probeHost(url, timeoutMs)
  return Effect.all([chainOrNull(request("eth_chainId")), request("eth_supportedEntryPoints")], {
    concurrency: 2
  }).pipe(
    Effect.map(
      ([chainId, supportedEntryPoints]): ServiceProbe => ({
        _tag: "Answered",
        host,
        chainId,
        missingEntryPoints: missingEntryPoints(supportedEntryPoints)
      })
    ),
    catchProbeFailure(host)
  )
}

/**
 * Checks whether a paymaster service responds to `eth_chainId`. An error response is sufficient, because ERC-7677 does
 * not require this method.
 */
export const probePaymaster = (url: string, timeoutMs: number): Effect.Effect<ServiceProbe> => {
  const { request, host } = probeHost(url, timeoutMs)
  return chainOrNull(request("eth_chainId")).pipe(
    Effect.map((chainId): ServiceProbe => ({ _tag: "Answered", host, chainId, missingEntryPoints: [] })),
    catchProbeFailure(host)
  )
}
