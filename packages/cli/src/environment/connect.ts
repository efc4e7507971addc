import { environmentSettings, layerServices, type Settings, sandboxSettings } from "@countersign/adapters/composition"
import { readSandboxFile, type SandboxFile } from "@countersign/adapters/home"
import { sandboxKeys } from "@countersign/adapters/sandbox"
import { evmChainIds } from "@countersign/core/chains"
import { Address } from "@countersign/core/primitives"
import { Config, Effect, Option } from "effect"
import { home } from "./home.ts"
import { runningSandbox } from "./runningSandbox.ts"

/** Whether the environment names a service of the operator's own, rather than the sandbox. */
export const isConfigured = Effect.gen(function* () {
  const names = ["DATABASE_URL", ...evmChainIds.map((id) => `RPC_URL_${id}`)]
  const values = yield* Effect.forEach(names, (name) => Config.option(Config.String(name)))
  return values.some(Option.isSome)
})

const settingsOfSandbox = Effect.map(
  runningSandbox,
  ({ file, home: folder, status }): Settings =>
    sandboxSettings(
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
)

/** The operator's own service where the environment names one, else the sandbox that runs on this home. */
export const settings = Effect.gen(function* () {
  return (yield* isConfigured) ? yield* environmentSettings(yield* home) : yield* settingsOfSandbox
})

/** Runs a command on the very services that the server runs on. */
export const withServices = <A, E, R>(command: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    return yield* Effect.provide(command, layerServices(yield* settings))
  })

/** The sandbox's file, where that is what this home runs on; null on a service of the operator's own. */
export const sandboxFileOrNull: Effect.Effect<SandboxFile | null, Config.ConfigError> = Effect.gen(function* () {
  return (yield* isConfigured) ? null : yield* readSandboxFile(yield* home)
})
