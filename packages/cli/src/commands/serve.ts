import { hostname } from "node:os"
import { environmentSettings, layerServices } from "@countersign/adapters/composition"
import { ensurePrivateFolder } from "@countersign/adapters/files"
import { layerWorkers } from "@countersign/adapters/workers"
import { ComputeUnitCosts, layerHttpService, layerTracing, layerWebhookDelivery, PublicUrl } from "@countersign/http"
import { Config, Effect, Layer, Logger, Option, References } from "effect"
import { Command } from "effect/cli"
import { HttpServer } from "effect/http"
import { computeUnitCosts } from "../environment/computeUnitCosts.ts"
import { home } from "../environment/home.ts"
import { httpLimits } from "../environment/httpLimits.ts"
import { logLevel } from "../environment/logLevel.ts"
import { metricsToken } from "../environment/metricsToken.ts"
import { listenFlags } from "./listenFlags.ts"

const announce = Layer.effectDiscard(
  Effect.flatMap(
    HttpServer.addressFormattedWith((url) => Effect.succeed(url)),
    (url) => Effect.logInfo("listening", { url })
  )
)

export const serve = Command.make(
  "serve",
  listenFlags,
  Effect.fnUntraced(function* ({ host, port }) {
    const folder = yield* home
    yield* Effect.sync(() => ensurePrivateFolder(folder))
    const settings = yield* environmentSettings(folder)
    const publicUrl = Option.getOrNull(yield* Config.option(Config.String("PUBLIC_URL")))
    const level = yield* logLevel
    const worker = `${hostname()}-${process.pid}`
    const service = announce.pipe(
      Layer.merge(layerWebhookDelivery(worker)),
      Layer.provideMerge(layerHttpService({ port, host, ...(yield* httpLimits), ...(yield* metricsToken) })),
      Layer.merge(layerWorkers(worker)),
      Layer.provide(layerServices({ ...settings, soleProcess: settings.database._tag === "Sqlite" })),
      Layer.provide(Layer.succeed(PublicUrl, publicUrl)),
      Layer.provide(Layer.succeed(ComputeUnitCosts, yield* computeUnitCosts)),
      Layer.provide(layerTracing),
      Layer.provide(Logger.layer([Logger.consoleJson])),
      Layer.provide(Layer.succeed(References.MinimumLogLevel, level))
    )
    yield* Layer.launch(service)
  })
)
