// Runs the service like `countersign serve` in a separate process, on a sandbox that belongs to the parent. The process
// first loads its code and then waits for its assignment, so that the parent can keep one process ready.

import { flushCompileCache } from "node:module"
import { sandboxKeys, sandboxSettings } from "@countersign/adapters/sandbox"
import { layerServices, type Settings } from "@countersign/adapters/service/composition"
import { layerWorkers } from "@countersign/adapters/service/workers"
import { Address } from "@countersign/core/foundation/primitives"
import { ExecutionLease } from "@countersign/core/operations/executions"
import { layerHttpService, layerWebhookDelivery } from "@countersign/http"
import { Duration, Effect, Layer, Logger, ManagedRuntime, Redacted, References } from "effect"
import { HttpServer } from "effect/http"
import { PATIENT_RPC } from "../../../adapters/test/evm/patientRpc.ts"
import type { ServerAssignment, ServerMessage } from "./ServerAssignment.ts"

/**
 * Seconds. The lease is short, because the tests wait until it expires after every kill if there are several processes.
 */
const LEASE_SECONDS = 5

const CLOCK_POLL_MS = 250

/** Polls the sandbox's gateway for the clock offset. */
const pollClockOffset = (gatewayUrl: string): (() => number) => {
  let seconds = 0
  const readOffset = async () => {
    const response = await fetch(`${gatewayUrl}/status`)
    seconds = ((await response.json()) as { readonly clockOffsetSeconds: number }).clockOffsetSeconds
  }
  const readQuietly = () => void readOffset().catch(() => undefined)
  readQuietly()
  setInterval(readQuietly, CLOCK_POLL_MS).unref()
  return () => seconds
}

const settingsOf = (assignment: ServerAssignment): Settings => {
  const { database, gatewayUrl, home, paymasters, rateLimit = null } = assignment
  // Omits Bridge, because the kill tests check the ledger of only one bank.
  const { bridge: _, ...sandbox } = sandboxSettings(
    {
      home,
      rpcUrl: (chainId) => `${gatewayUrl}/chains/${chainId}`,
      runningChains: () => assignment.chainIds ?? [1],
      clockOffsetSeconds: pollClockOffset(gatewayUrl),
      keys: sandboxKeys(),
      paymasters: { "0.7": Address.make(paymasters["0.7"]), "0.8": Address.make(paymasters["0.8"]) }
    },
    { soleProcess: database._tag === "Sqlite" }
  )
  const budget =
    assignment.unpaidGasBudgetUsd === undefined ? undefined : BigInt(assignment.unpaidGasBudgetUsd) * 1_000_000n
  const budgets = budget === undefined ? {} : { projectUsdE6PerDay: budget, operatorUsdE6PerDay: budget }
  const settings = {
    ...sandbox,
    // Timeouts that even a busy machine does not exceed.
    rpcLimits: PATIENT_RPC,
    swap: { ...sandbox.swap, providerTimeoutMs: 120_000 },
    unpaidGasLimits: { ...sandbox.unpaidGasLimits, ...budgets }
  }
  const pixLimit = assignment.documentsPixLimit === undefined ? null : BigInt(assignment.documentsPixLimit)
  const PIX =
    pixLimit === null
      ? undefined
      : { perTransaction: pixLimit, daily: pixLimit, monthly: pixLimit, quarterly: pixLimit }
  const fiatLevelLimits = PIX === undefined ? {} : { DOCUMENTS: { PIX } }
  return database._tag === "Sqlite"
    ? { ...settings, rateLimit, fiatLevelLimits }
    : { ...settings, rateLimit, fiatLevelLimits, database: { ...database, url: Redacted.make(database.url) } }
}

const notifyParent = (message: ServerMessage): void => {
  if (process.connected) process.send?.(message)
}

const run = async (assignment: ServerAssignment): Promise<void> => {
  const worker = `fleet-${process.pid}`
  const lease = Duration.seconds(assignment.executionLeaseSeconds ?? LEASE_SECONDS)
  const service = Layer.merge(layerWebhookDelivery(worker), layerWorkers(worker)).pipe(
    Layer.provideMerge(layerHttpService({ port: 0, host: "127.0.0.1", requestTimeoutMs: 240_000 })),
    Layer.provideMerge(layerServices(settingsOf(assignment)).pipe(Layer.provide(Layer.succeed(ExecutionLease, lease)))),
    Layer.provide(Logger.layer([Logger.withConsoleError(Logger.formatLogFmt)])),
    Layer.provide(Layer.succeed(References.MinimumLogLevel, "Warn"))
  )
  const runtime = ManagedRuntime.make(service)
  process.once("SIGTERM", () => {
    runtime.dispose().then(
      () => process.exit(0),
      () => process.exit(1)
    )
  })
  const url = await runtime.runPromise(HttpServer.addressFormattedWith((address) => Effect.succeed(address)))
  notifyParent({ _tag: "Listening", url })
}

process.once("message", (assignment: ServerAssignment) => {
  run(assignment).catch((thrown: unknown) => {
    process.stderr.write(`${thrown instanceof Error ? thrown.stack : String(thrown)}\n`)
    process.exit(1)
  })
})
// Ends when the parent process ends for any reason.
process.once("disconnect", () => process.exit(0))
notifyParent({ _tag: "Loaded" })
// A killed process does not write its compile cache, and later processes would have to compile the code again.
flushCompileCache()
