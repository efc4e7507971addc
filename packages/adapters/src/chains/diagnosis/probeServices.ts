import { Effect } from "effect"
import { accountContracts } from "../deployments/index.ts"
import { type ProbeFailure, probeHost } from "./probeHost.ts"

export type ServiceProbe =
  | {
      readonly _tag: "Answered"
      readonly host: string
      /** Null where it does not tell. */
      readonly chainId: number | null
      /** Versions that the service needs and this one does not list; none where it was not asked. */
      readonly missingEntryPoints: ReadonlyArray<"0.7" | "0.8">
    }
  | { readonly _tag: "Failed"; readonly host: string; readonly failure: ProbeFailure }

const entryPoints = [
  ["0.7", accountContracts.entryPoint07],
  ["0.8", accountContracts.entryPoint08]
] as const

const missingIn = (supported: unknown): ReadonlyArray<"0.7" | "0.8"> => {
  const addresses = new Set(Array.isArray(supported) ? supported.map((address) => String(address).toLowerCase()) : [])
  return entryPoints.flatMap(([version, address]) => (addresses.has(address) ? [] : [version]))
}

/** An error is an answer too: that it serves JSON-RPC is all that is asked. */
const chainOrNull = (answer: Effect.Effect<unknown, ProbeFailure>) =>
  answer.pipe(
    Effect.map((chainId): number | null => Number(chainId)),
    Effect.catchIf(
      ({ _tag }) => _tag === "Refused",
      () => Effect.succeed(null)
    )
  )

const orFailed = (host: string) => (probe: Effect.Effect<ServiceProbe, ProbeFailure>) =>
  Effect.catch(probe, (failure) => Effect.succeed<ServiceProbe>({ _tag: "Failed", host, failure }))

/** Whether a bundler answers, for which chain, and with the entry points of the account kinds. */
export const probeBundler = (url: string, timeoutMs: number): Effect.Effect<ServiceProbe> => {
  const { ask, host } = probeHost(url, timeoutMs)
  return Effect.all([chainOrNull(ask("eth_chainId")), ask("eth_supportedEntryPoints")], { concurrency: 2 }).pipe(
    Effect.map(
      ([chainId, listed]): ServiceProbe => ({
        _tag: "Answered",
        host,
        chainId,
        missingEntryPoints: missingIn(listed)
      })
    ),
    orFailed(host)
  )
}

/** Whether a paymaster service answers: ERC-7677 has no method that does nothing, and any answer will do. */
export const probePaymaster = (url: string, timeoutMs: number): Effect.Effect<ServiceProbe> => {
  const { ask, host } = probeHost(url, timeoutMs)
  return chainOrNull(ask("eth_chainId")).pipe(
    Effect.map((chainId): ServiceProbe => ({ _tag: "Answered", host, chainId, missingEntryPoints: [] })),
    orFailed(host)
  )
}
