import { hostname } from "node:os"
import { environmentSettings, layerServices, type Settings } from "@countersign/adapters/service/composition"
import { SettingInvalid, unknownSettings } from "@countersign/adapters/service/settings"
import { layerWorkers } from "@countersign/adapters/service/workers"
import { ensurePrivateFolder } from "@countersign/adapters/storage/files"
import { ComputeUnitCosts, layerHttpService, layerTracing, layerWebhookDelivery, PublicUrl } from "@countersign/http"
import { Effect, Layer, Logger, References } from "effect"
import { Command } from "effect/cli"
import { onTerminal, withoutProgress } from "../doctor/progress.ts"
import { home } from "../environment/home.ts"
import { serveSettings } from "../environment/serveSettings.ts"
import { SettingNames } from "../environment/settingNames.ts"
import { layerAnnounce } from "../serve/announce.ts"
import { inventory } from "../serve/inventory.ts"
import { layerLostRejections } from "../serve/lostRejections.ts"
import { nodesAtStart } from "../serve/nodesAtStart.ts"
import { settingsHelp } from "../serve/settingsHelp.ts"
import { listenAddress, listenFlags } from "./listenFlags.ts"

/**
 * Fails if the environment contains an unknown setting name, because a misspelt setting would silently have no effect.
 */
const requireKnownSettings = Effect.gen(function* () {
  const [firstUnknown] = unknownSettings(yield* SettingNames)
  if (firstUnknown !== undefined) return yield* new SettingInvalid(firstUnknown)
})

/** Fails if no chain is configured, because such a service could not serve any request. */
const requireChain = ({ activeChains }: Settings) =>
  activeChains().length > 0
    ? Effect.void
    : new SettingInvalid({
        name: "RPC_URL_<chain id>",
        expected:
          "set for any chain, but the service needs at least one chain. Set the URL of a node, such as RPC_URL_8453=https://…, or use public nodes with RPC_URL_8453=public"
      })

const isTerminal = process.stderr.isTTY === true
const progress = isTerminal ? onTerminal((text) => process.stderr.write(text)) : withoutProgress

export const serve = Command.make(
  "serve",
  listenFlags,
  Effect.fnUntraced(function* (listenOptions) {
    yield* requireKnownSettings
    const folder = yield* home
    const settings = yield* environmentSettings(folder)
    const { computeUnitCosts, http, logLevel, publicUrl, tracesTo } = yield* serveSettings
    const address = yield* listenAddress(listenOptions)
    yield* requireChain(settings)
    yield* Effect.sync(() => ensurePrivateFolder(folder))
    const chains = yield* progress("nodes", nodesAtStart(settings.activeChains(), settings.rpcUrls))
    const items = inventory(settings, chains, {
      ...http,
      hasMetricsToken: "metricsToken" in http,
      tracesTo: tracesTo === null ? null : new URL(tracesTo).host
    })
    // Containers that use the host's network have the same host name, and often the same process id.
    const worker = `${hostname()}-${process.pid}-${crypto.randomUUID()}`
    const service = layerAnnounce(items, isTerminal).pipe(
      Layer.merge(layerWebhookDelivery(worker)),
      Layer.provideMerge(layerHttpService({ ...address, ...http })),
      Layer.merge(layerWorkers(worker)),
      Layer.merge(layerLostRejections),
      Layer.provide(layerServices({ ...settings, soleProcess: settings.database._tag === "Sqlite" })),
      Layer.provide(Layer.succeed(PublicUrl, publicUrl)),
      Layer.provide(Layer.succeed(ComputeUnitCosts, computeUnitCosts)),
      Layer.provide(layerTracing),
      Layer.provide(Logger.layer([Logger.consoleJson])),
      Layer.provide(Layer.succeed(References.MinimumLogLevel, logLevel))
    )
    yield* Layer.launch(service)
  })
).pipe(
  Command.withDescription(
    `Run the service with the chains and the database of the environment. It reads these settings from environment variables, then from .env in the current folder:\n\n${settingsHelp()}`
  )
)
