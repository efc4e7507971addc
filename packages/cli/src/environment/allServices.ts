import { LinkBase } from "@countersign/adapters/api/wire"
import { environmentSettings, layerServices, type Settings } from "@countersign/adapters/service/composition"
import { Address } from "@countersign/core/foundation/primitives"
import { Effect } from "effect"
import { home } from "./home.ts"
import { isConfigured } from "./isConfigured.ts"
import { linkBase } from "./linkBase.ts"
import { loadSandbox } from "./loadSandbox.ts"
import { runningSandbox } from "./runningSandbox.ts"

const settingsOfSandbox = Effect.gen(function* () {
  const { file, home: folder, status } = yield* runningSandbox
  const { sandboxKeys, sandboxSettings } = yield* loadSandbox
  return sandboxSettings(
    {
      home: folder,
      rpcUrl: (chainId) => `${file.gatewayUrl}/chains/${chainId}`,
      runningChains: () => status.chains.flatMap(({ chainId, running }) => (running ? [chainId] : [])),
      clockOffsetSeconds: () => status.clockOffsetSeconds,
      keys: sandboxKeys(),
      paymasters: { "0.7": Address.make(file.paymasters["0.7"]), "0.8": Address.make(file.paymasters["0.8"]) }
    },
    { soleProcess: false }
  )
})

/**
 * The settings of the operator's own service if the environment configures one, otherwise of the running sandbox in
 * this home folder.
 */
export const settings = Effect.gen(function* () {
  return (yield* isConfigured) ? yield* environmentSettings(yield* home) : yield* settingsOfSandbox
})

/** Provides the services that the server would use with these settings, and the base URL of logos. */
export const provideServicesOf = <A, E, R>(serviceSettings: Settings, command: Effect.Effect<A, E, R>) =>
  Effect.provide(command, layerServices(serviceSettings)).pipe(Effect.provideServiceEffect(LinkBase, linkBase))

/** Provides the services that the server uses with its own settings. */
export const provideServices = <A, E, R>(command: Effect.Effect<A, E, R>) =>
  Effect.flatMap(settings, (ownSettings) => provideServicesOf(ownSettings, command))
