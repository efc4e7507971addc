import { mkdir } from "node:fs/promises"
import { hostname } from "node:os"
import { environmentSettings, layerServices } from "@countersign/adapters/composition"
import { OperationFollower } from "@countersign/adapters/workers"
import { ComputeUnitCosts, layerHttpService, layerTracing, layerWebhookDelivery, PublicUrl } from "@countersign/http"
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

/** What a request may take of this process. */
const limits = Config.all({
  maxBodyBytes: Config.Int("MAX_BODY_BYTES").pipe(Config.withDefault(1024 * 1024)),
  requestTimeoutMs: Config.Int("REQUEST_TIMEOUT_MS").pipe(Config.withDefault(30_000)),
  parallelRequestsMax: Config.Int("PARALLEL_REQUESTS_MAX").pipe(Config.withDefault(512))
})

/** What each kind of request costs a project that has a budget. */
const computeUnitCosts = Config.all({
  read: Config.Int("COMPUTE_UNITS_READ").pipe(Config.withDefault(1)),
  quote: Config.Int("COMPUTE_UNITS_QUOTE").pipe(Config.withDefault(5)),
  slowQuote: Config.Int("COMPUTE_UNITS_SLOW_QUOTE").pipe(Config.withDefault(25)),
  portfolio: Config.Int("COMPUTE_UNITS_PORTFOLIO").pipe(Config.withDefault(10))
})

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
      Layer.provideMerge(layerHttpService({ port, host, ...(yield* limits) })),
      Layer.merge(OperationFollower.layer(`${hostname()}-${process.pid}`)),
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
