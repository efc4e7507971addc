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
import type { EventSerializer } from "@countersign/core/tenancy/events"
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
  /** The public URL; null if clients use the configured host. */
  readonly publicUrl: string | null
  /** Whether the start deletes the data of earlier runs. */
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

/** Replaces a wildcard listen address by a loopback address, because clients cannot connect to a wildcard address. */
const toReachableUrl = (url: string) => url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//127.0.0.1:")

/**
 * Returns the allowed hosts. The sandbox's pages contain its API key, so they must not be readable under other host
 * names (DNS rebinding).
 */
const hostsOf = ({ host, publicUrl }: SandboxServiceOptions): ReadonlyArray<string> => [
  host,
  ...(publicUrl === null ? [] : [new URL(publicUrl).host])
]

/** Adds the signing endpoint to the extensions of the embedding application. */
const layerSigning = Layer.effect(
  Extensions,
  Effect.map(Extensions, (extensions) => [...extensions, { endpoints: [signEndpoint] }])
)

/** Provides the complete sandbox: chains, services, workers, HTTP server and demonstration data. */
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
          const sandboxContent = yield* seed(options.home, toReachableUrl(address))
          const { file, project } = sandboxContent
          const services = yield* Effect.context<
            | DocumentFiles
            | Exclude<EndpointServices, EventSerializer>
            | ExecutionStore
            | HistoryStore
            | VerifiedIndividuals
          >()
          // Prevents concurrent page views from creating the same resources twice.
          const semaphore = yield* Semaphore.make(1)
          const examples = referenceExamples(project, file).pipe(
            Semaphore.withPermit(semaphore),
            // The page is served without examples if they cannot be created.
            Effect.catchCause((cause) =>
              Effect.as(Effect.logError("could not create the sandbox's examples for the API reference", cause), {})
            ),
            Effect.provideService(SandboxChains, chains),
            Effect.provide(services)
          )
          chains.serveBy(yield* sandboxService)
          yield* Deferred.succeed(reference, { apiKey: file.apiKey, examples })
          yield* options.onReady(sandboxContent, process.uptime() * 1000)
        })
      )
      yield* Effect.logInfo("sandbox chains are running", { ms: (yield* Clock.currentTimeMillis) - startedAt })
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

/**
 * Writes one JSON document per line to a log file in the home folder, because the terminal is reserved for the user.
 */
export const layerLogFile = (home: string) => {
  const file = join(home, "countersign.log")
  return Logger.layer([
    Effect.andThen(
      Effect.sync(() => ensurePrivateFile(file)),
      Logger.toFile(Logger.formatJson, file, { flag: "a" })
    )
  ])
}
