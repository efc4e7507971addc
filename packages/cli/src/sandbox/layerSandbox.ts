import { rm } from "node:fs/promises"
import { join } from "node:path"
import type { EndpointServices } from "@countersign/adapters/api/endpoints"
import { type DocumentFiles, documentsFolder } from "@countersign/adapters/identity"
import { mailFolder } from "@countersign/adapters/outbound/mail"
import { SandboxChains, sandboxService, sandboxSettings, signEndpoint } from "@countersign/adapters/sandbox"
import { Extensions, layerServices } from "@countersign/adapters/service/composition"
import { layerWorkers } from "@countersign/adapters/service/workers"
import { ensurePrivateFile } from "@countersign/adapters/storage/files"
import { sandboxDatabaseFile, sandboxFilePath } from "@countersign/adapters/storage/home"
import type { HistoryStore } from "@countersign/core/accounting/history"
import { evmChainIds } from "@countersign/core/foundation/chains"
import type { VerifiedIndividuals } from "@countersign/core/identity"
import type { ExecutionStore } from "@countersign/core/operations/executions"
import type { EventPresenter } from "@countersign/core/tenancy/events"
import {
  layerHttpService,
  layerWebhookDelivery,
  PublicUrl,
  ReferenceOfSandbox,
  type SandboxReference
} from "@countersign/http"
import { Clock, Deferred, Effect, Layer, Logger, Semaphore } from "effect"
import { HttpServer } from "effect/http"
import { referenceExamples } from "./examples/referenceExamples.ts"
import { seed } from "./seed.ts"

export interface SandboxServiceOptions {
  readonly home: string
  readonly port: number
  readonly host: string
  /** The public URL, if clients use another host than the configured one. */
  readonly publicUrl: string | null
  /** Whether to delete all data of earlier runs. */
  readonly fresh: boolean
  readonly onReady: (ready: Effect.Success<ReturnType<typeof seed>>, milliseconds: number) => Effect.Effect<void>
}

const deleteHome = (home: string) => {
  const database = sandboxDatabaseFile(home)
  const files = [
    database,
    `${database}-wal`,
    `${database}-shm`,
    sandboxFilePath(home),
    mailFolder(home),
    documentsFolder(home)
  ]
  return Effect.promise(() => Promise.all(files.map((file) => rm(file, { force: true, recursive: true }))))
}

/** A wildcard address is for listening, not for connecting. */
const reachable = (url: string) => url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//127.0.0.1:")

/** A sandbox's pages contain its key, so they are only served on this machine and for allowed hosts. */
const hostsOf = ({ host, publicUrl }: SandboxServiceOptions): ReadonlyArray<string> => [
  host,
  ...(publicUrl === null ? [] : [new URL(publicUrl).host])
]

/** Adds the signing endpoint to the extensions of a host. */
const layerSigning = Layer.effect(
  Extensions,
  Effect.map(Extensions, (extensions) => [...extensions, { endpoints: [signEndpoint] }])
)

/** The whole sandbox: chains, services, workers, HTTP server, and demonstration data. */
export const layerSandbox = (options: SandboxServiceOptions) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const startedAt = yield* Clock.currentTimeMillis
      if (options.fresh) yield* deleteHome(options.home)
      const chains = yield* SandboxChains
      const settings = sandboxSettings(
        {
          home: options.home,
          rpcUrl: chains.rpcUrl,
          runningChains: () => evmChainIds.filter(chains.isRunning),
          clockOffsetSeconds: chains.clockOffsetSeconds,
          keys: chains.keys,
          paymasters: chains.paymasters
        },
        { soleProcess: true }
      )
      const reference = yield* Deferred.make<SandboxReference>()
      const readySignal = Layer.effectDiscard(
        Effect.gen(function* () {
          const address = yield* HttpServer.addressFormattedWith((url) => Effect.succeed(url))
          const sandboxContent = yield* seed(options.home, reachable(address))
          const { file, project } = sandboxContent
          const services = yield* Effect.context<
            | DocumentFiles
            | Exclude<EndpointServices, EventPresenter>
            | ExecutionStore
            | HistoryStore
            | VerifiedIndividuals
          >()
          // Prevents that concurrent readers create the same resources twice.
          const turns = yield* Semaphore.make(1)
          const examples = referenceExamples(project, file).pipe(
            Semaphore.withPermit(turns),
            // The page works even without the examples.
            Effect.catchCause((cause) =>
              Effect.as(Effect.logError("the reference's examples have no values of this sandbox", cause), {})
            ),
            Effect.provideService(SandboxChains, chains),
            Effect.provide(services)
          )
          chains.serveBy(yield* sandboxService)
          yield* Deferred.succeed(reference, { apiKey: file.apiKey, examples })
          yield* options.onReady(sandboxContent, process.uptime() * 1000)
        })
      )
      yield* Effect.logInfo("sandbox chains are up", { ms: (yield* Clock.currentTimeMillis) - startedAt })
      return readySignal.pipe(
        Layer.merge(layerWebhookDelivery(`sandbox-${process.pid}`)),
        Layer.provideMerge(
          layerHttpService({ port: options.port, host: options.host, allowedHosts: hostsOf(options) })
        ),
        Layer.merge(layerWorkers(`sandbox-${process.pid}`)),
        Layer.provide(Layer.succeed(ReferenceOfSandbox, Deferred.await(reference))),
        Layer.provide(Layer.succeed(PublicUrl, options.publicUrl)),
        Layer.provide(layerServices(settings)),
        Layer.provide(layerSigning)
      )
    })
  ).pipe(Layer.provide(SandboxChains.layer({ home: options.home, fresh: options.fresh })))

/** Writes one JSON document per line to a file in the home folder, because the terminal is for the user. */
export const layerLogFile = (home: string) => {
  const file = join(home, "countersign.log")
  return Logger.layer([
    Effect.andThen(
      Effect.sync(() => ensurePrivateFile(file)),
      Logger.toFile(Logger.formatJson, file, { flag: "a" })
    )
  ])
}
