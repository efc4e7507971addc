import { mkdir } from "node:fs/promises"
import { hostname } from "node:os"
import { environmentSettings, layerServices } from "@countersign/adapters/composition"
import { OperationFollower } from "@countersign/adapters/workers"
import { layerHttpService, layerWebhookDelivery, PublicUrl } from "@countersign/http"
import { Config, Effect, Layer, Logger, Option, References } from "effect"
import { Command, Flag } from "effect/cli"
import { HttpServer } from "effect/http"
import { home } from "../environment/home.ts"

const announce = Layer.effectDiscard(
  Effect.flatMap(
    HttpServer.addressFormattedWith((url) => Effect.succeed(url)),
    (url) => Effect.logInfo("listening", { url })
  )
)

export const serve = Command.make(
  "serve",
  {
    port: Flag.Int("port").pipe(
      Flag.withDescription("Port of the API"),
      Flag.withFallbackConfig(Config.Port("PORT")),
      Flag.withDefault(3000)
    ),
    host: Flag.String("host").pipe(
      Flag.withDescription("Address to listen on"),
      Flag.withFallbackConfig(Config.String("HOST")),
      Flag.withDefault("127.0.0.1")
    )
  },
  Effect.fnUntraced(function* ({ host, port }) {
    const folder = yield* home
    yield* Effect.promise(() => mkdir(folder, { recursive: true }))
    const settings = yield* environmentSettings(folder)
    const publicUrl = Option.getOrNull(yield* Config.option(Config.String("PUBLIC_URL")))
    const level = yield* Config.LogLevel("LOG_LEVEL").pipe(Config.withDefault("Info" as const))
    const service = announce.pipe(
      Layer.merge(layerWebhookDelivery(`${hostname()}-${process.pid}`)),
      Layer.provideMerge(layerHttpService({ port, host })),
      Layer.merge(OperationFollower.layer(`${hostname()}-${process.pid}`)),
      Layer.provide(layerServices({ ...settings, soleProcess: settings.database._tag === "Sqlite" })),
      Layer.provide(Layer.succeed(PublicUrl, publicUrl)),
      Layer.provide(Logger.layer([Logger.consoleJson])),
      Layer.provide(Layer.succeed(References.MinimumLogLevel, level))
    )
    yield* Layer.launch(service)
  })
)
