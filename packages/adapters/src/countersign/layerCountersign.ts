import { hostname } from "node:os"
import { WebhookDeliveries } from "@countersign/core/webhooks"
import { Effect, Layer, Result } from "effect"
import { layerServices } from "../composition/index.ts"
import { requireNode } from "../node/index.ts"
import { layerEventPresenter } from "../presenters/index.ts"
import { LinkBase } from "../wire/index.ts"
import { layerWorkers, WebhookDeliverer } from "../workers/index.ts"
import { CountersignError } from "./CountersignError.ts"
import type { CountersignOptions } from "./CountersignOptions.ts"
import { decodeOptions } from "./decodeOptions.ts"
import { layerLogger } from "./hostLogger.ts"
import { StoredChanges, storedChanges } from "./StoredChanges.ts"
import { settingsOf } from "./settingsOf.ts"

const layerWork = ({ secretsKey, workers = true }: CountersignOptions) => {
  if (!workers) return Layer.empty
  const worker = `${hostname()}-${process.pid}-${crypto.randomUUID()}`
  // Without a key no secret can be opened to sign a delivery with.
  if (secretsKey === undefined) return layerWorkers(worker)
  return Layer.merge(layerWorkers(worker), Layer.provide(WebhookDeliverer.layer(worker), WebhookDeliveries.layer))
}

const layerOf = (options: CountersignOptions) => {
  const changes = storedChanges()
  return layerWork(options).pipe(
    Layer.provideMerge(layerEventPresenter),
    Layer.provideMerge(Layer.succeed(LinkBase, options.publicUrl ?? "")),
    Layer.provideMerge(layerServices(settingsOf(options, changes.tell))),
    Layer.provideMerge(Layer.succeed(StoredChanges, changes)),
    Layer.provideMerge(layerLogger(options.logger))
  )
}

/** The services of the core and all that works for them, over what the options name. */
export const layerCountersign = (options: CountersignOptions) =>
  Layer.unwrap(
    Effect.gen(function* () {
      yield* Effect.try({
        try: () => requireNode(),
        catch: (cause) => new CountersignError({ id: "NODE_TOO_OLD", message: (cause as Error).message, cause })
      })
      const known = yield* Result.match(decodeOptions(options), { onFailure: Effect.fail, onSuccess: Effect.succeed })
      return yield* Effect.try({
        try: () => layerOf(known),
        catch: (thrown) => (thrown instanceof CountersignError ? thrown : new Error(String(thrown)))
      })
    })
  )

export type CountersignServices = Layer.Success<ReturnType<typeof layerCountersign>>
