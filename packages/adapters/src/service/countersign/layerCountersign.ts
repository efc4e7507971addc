import { hostname } from "node:os"
import { chainOf } from "@countersign/core/foundation/chains"
import { WebhookDeliveries } from "@countersign/core/tenancy/webhooks"
import { Effect, Layer } from "effect"
import { layerEventSerializer } from "../../api/serializers/index.ts"
import { LinkBase } from "../../api/wire/index.ts"
import { JsonRpcHost, systemTime } from "../../chains/evm/index.ts"
import { type HostSettings, layerServices } from "../composition/index.ts"
import { requireNode } from "../node/index.ts"
import { settings } from "../settings/index.ts"
import { layerWorkers, WebhookDeliverer } from "../workers/index.ts"
import { CountersignError } from "./CountersignError.ts"
import type { CountersignOptions } from "./CountersignOptions.ts"
import { type DecodedOptions, decodeOptions } from "./decodeOptions.ts"
import { layerLogger } from "./hostLogger.ts"
import { StoredChanges, storedChanges } from "./StoredChanges.ts"
import { settingsOf } from "./settingsOf.ts"

const layerWork = ({ secretsKey, workers = true }: CountersignOptions) => {
  if (!workers) return Layer.empty
  const worker = `${hostname()}-${process.pid}-${crypto.randomUUID()}`
  // Without a key no webhook secret can be decrypted to sign a delivery, so webhooks are not delivered.
  if (secretsKey === undefined) return layerWorkers(worker)
  return Layer.merge(layerWorkers(worker), Layer.provide(WebhookDeliverer.layer(worker), WebhookDeliveries.layer))
}

const layerOf = Effect.fnUntraced(function* (decoded: DecodedOptions) {
  const { options } = decoded
  const changes = storedChanges()
  const hostSettings = yield* settingsOf(decoded, changes.notify)
  yield* requireOwnChains(hostSettings)
  return layerWork(options).pipe(
    Layer.provideMerge(layerEventSerializer),
    Layer.provideMerge(Layer.succeed(LinkBase, settings.PUBLIC_URL.form.parse(options.publicUrl ?? "") ?? "")),
    Layer.provideMerge(layerServices(hostSettings)),
    Layer.provideMerge(Layer.succeed(StoredChanges, changes)),
    Layer.provideMerge(layerLogger(options.logger))
  )
})

const PROBE_MS = 2_000

/** Requests the chain id of a node; null if the node returns none. */
const chainIdOf = (url: string) => {
  const host = new JsonRpcHost(url, {
    timeoutMs: PROBE_MS,
    limitOf: () => ({ maxBytes: 10_000, requestFault: null }),
    maxBatchSize: 1,
    maxConcurrent: 1,
    maxWaiting: 1,
    time: systemTime,
    onRequest: () => undefined,
    onExchange: () => undefined
  })
  return Effect.tryPromise(() => host.request({ method: "eth_chainId", params: [] })).pipe(
    Effect.map(Number),
    Effect.orElseSucceed(() => null)
  )
}

/**
 * Rejects nodes that serve another chain before any other data are read from them. Accepts nodes that do not respond,
 * because they may recover.
 */
const requireOwnChains = Effect.fnUntraced(function* ({ activeChains, rpcUrls }: HostSettings) {
  const nodes = activeChains().flatMap((chainId) => rpcUrls(chainId).map((url) => ({ chainId, url })))
  const nodeChainIds = yield* Effect.forEach(nodes, ({ url }) => chainIdOf(url), { concurrency: "unbounded" })
  for (const [i, { chainId, url }] of nodes.entries()) {
    const nodeChainId = nodeChainIds[i]
    if (nodeChainId === null || nodeChainId === undefined || nodeChainId === chainId || Number.isNaN(nodeChainId))
      continue
    const path = `chains.${chainId}.rpcUrl`
    const message = `${new URL(url).host} is a node of chain ${nodeChainId}, and not of ${chainOf(chainId).name} (${chainId}).`
    const problem = { path, code: "other_chain", message }
    return yield* Effect.fail(
      new CountersignError({ id: "OPTION_INVALID", message: `${path}: ${message}`, problems: [problem] })
    )
  }
})

/** Provides the services of the core with their workers and the configured adapters. */
export const layerCountersign = (options: CountersignOptions) =>
  Layer.unwrap(
    Effect.gen(function* () {
      yield* Effect.try({
        try: () => requireNode(),
        catch: (cause) => new CountersignError({ id: "NODE_TOO_OLD", message: (cause as Error).message, cause })
      })
      return yield* layerOf(yield* Effect.fromResult(decodeOptions(options)))
    })
  )

export type CountersignServices = Layer.Success<ReturnType<typeof layerCountersign>>
