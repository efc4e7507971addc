import type { SandboxChains } from "@countersign/adapters/sandbox"
import { Address } from "@countersign/core/foundation/primitives"
import { Effect, ManagedRuntime } from "effect"
import { type DatabaseName, runOnSandbox } from "../fleet/onSandbox.ts"
import { createApiKey, layerOperator } from "../fleet/operator.ts"
import type { ServerAssignment } from "../fleet/ServerAssignment.ts"
import { ServerFleet } from "../fleet/ServerFleet.ts"
import { USDC } from "../support/accounts.ts"
import { UnreliableChain } from "../support/UnreliableChain.ts"
import { type ReceivedEvent, startWebhookReceiver } from "../support/webhookReceiver.ts"
import { audit, type WebhookEvent } from "./audit.ts"
import { ChainEvents } from "./ChainEvents.ts"
import { Client, type ClientOptions } from "./Client.ts"
import { Journal } from "./Journal.ts"
import { killAtMoments } from "./killAtMoments.ts"
import { Moments } from "./Moments.ts"
import { type OperationMix, OTHER_CHAIN, USDC_ON_BASE } from "./operations.ts"
import { historyOf, recordsOf } from "./Records.ts"
import { SeededRandom } from "./SeededRandom.ts"
import { ServiceClient } from "./ServiceClient.ts"

export interface KillOptions {
  readonly database: DatabaseName
  /** Number of concurrent server processes; 1 for SQLite. */
  readonly processes: number
  /** Whether the chain has no reorgs, and its nodes drop no transactions. */
  readonly isSteady: boolean
  readonly points: number
  readonly clients: number
  /** Transfers to another chain need a steady chain, because a relayer may fill deposits that a reorg removes later. */
  readonly mix?: OperationMix
  readonly seed: number
  readonly onProgress?: (report: KillReport) => void
}

export interface KillReport {
  readonly points: number
  readonly seconds: number
  readonly registrations: number
  readonly quotes: number
  /** Number of accepted transfers to another chain. */
  readonly crossings: number
  /** Number of executions whose response was 200. */
  readonly promised: number
  /** Number of executions whose response was lost. */
  readonly unknown: number
  readonly onChain: number
  readonly reorgs: number
  readonly problems: ReadonlyArray<string>
}

/**
 * Timeout for the remaining work. Other processes take over the claims of a dead process only when its lease expires.
 */
const SETTLING_TIMEOUT_MS = 120_000
/** Probability that a kill coincides with a reorg, or with a dropped transaction. */
const REORG_PROBABILITY = 0.1
const DROP_PROBABILITY = 0.1
const MAX_REORG_DEPTH = 3
const EVENTS_PATH = "/events"
const CHAIN = 1

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Kills servers at random times under load. Then checks whether data was lost, or an operation was executed twice. */
export const runKills = (options: KillOptions): Promise<KillReport> =>
  runOnSandbox({ chainIds: [CHAIN], database: options.database }, (chains, assignment) =>
    runKillsOn(options, assignment, chains)
  )

const runKillsOn = async (options: KillOptions, assignment: ServerAssignment, chains: SandboxChains["Service"]) => {
  const startedAt = performance.now()
  const random = new SeededRandom(options.seed)
  const journal = new Journal()
  const chainEvents = new ChainEvents(chains.rpcUrl(CHAIN))
  const otherChainEvents = new ChainEvents(chains.rpcUrl(OTHER_CHAIN))
  await chainEvents.read()
  const database = ManagedRuntime.make(layerOperator(assignment))
  const apiKey = await database.runPromise(createApiKey(chains.keys.treasury.address))
  await database.dispose()
  const operators = Object.values(chains.keys.operators).map(({ address }) => address)
  const chain = options.isSteady ? null : new UnreliableChain(chains.rpcUrl(CHAIN), operators)
  let reorgCount = 0
  const injectDisturbance = async () => {
    if (chain === null) return
    if (random.fraction() < DROP_PROBABILITY) await chain.dropOne()
    if (random.fraction() >= REORG_PROBABILITY) return
    reorgCount++
    await chain.reorg(1 + random.below(MAX_REORG_DEPTH))
  }
  const fleet = await ServerFleet.of(assignment, options.processes)
  const receiver = await startWebhookReceiver()
  const serviceOf = (offset: number) => new ServiceClient(apiKey, (nth) => fleet.url(nth + offset))

  const makeReport = (points: number, problems: ReadonlyArray<string>): KillReport => ({
    points,
    seconds: (performance.now() - startedAt) / 1000,
    registrations: journal.registrations.size,
    quotes: journal.quotes.size,
    crossings: [...journal.quotes].filter(
      ([hash, { type }]) => type === "CROSS_SWAP" && journal.executes.get(hash) === "PROMISED"
    ).length,
    promised: journal.count("PROMISED"),
    unknown: journal.count("UNKNOWN"),
    onChain: chainEvents.executionCounts.size,
    reorgs: reorgCount,
    problems
  })

  const moments = new Moments()
  let isOver = false
  try {
    await fleet.start()
    await chain?.start()
    const service = serviceOf(0)
    await subscribe(service, receiver.url(EVENTS_PATH))
    const factories = await factoriesOf(service)
    const clients = Array.from({ length: options.clients }, async (_, i) => {
      const client = new Client({
        name: `${options.seed}/${i}`,
        service: serviceOf(i),
        factories,
        random: new SeededRandom(options.seed + 1 + i),
        journal,
        mix: options.mix ?? (options.isSteady ? "WITH_CROSSING" : "MIXED"),
        fund: (address) => {
          const fund = () =>
            Effect.runPromise(chains.fund(CHAIN, Address.make(address), Address.make(USDC), 10n ** 12n))
          return chain === null ? fund() : chain.lasting(MAX_REORG_DEPTH + 1, fund)
        },
        onMoment: moments.came
      })
      while (!isOver) await client.operate()
    })
    const clientsDone = Promise.all(clients).then(() => undefined)
    clientsDone.catch(() => undefined)

    await killAtMoments(fleet, {
      ...options,
      random,
      moments,
      at: ["started", "register", "quote", "execute", "executed"],
      failure: clientsDone,
      onKill: async (point) => {
        await injectDisturbance()
        if (point % 100 !== 0) return
        await chainEvents.read()
        options.onProgress?.(makeReport(point, journal.surprises))
      }
    })
    isOver = true
    await clientsDone
    const problems = await findProblemsOnceSettled(
      journal,
      service,
      { onChain: chainEvents, there: otherChainEvents },
      options.isSteady,
      () => receiver.at(EVENTS_PATH).map(webhookEventOf)
    )
    await chain?.stop()
    const exitCodes = await fleet.stop()
    if (exitCodes.some((code) => code !== 0)) problems.push(`servers ended with ${exitCodes.join()} when asked to`)
    return makeReport(options.points, problems)
  } finally {
    isOver = true
    receiver.stop()
    await fleet.close()
  }
}

export const subscribe = async (service: ServiceClient, url: string): Promise<void> => {
  const { body, status } = await service.untilSuccessful("/api/v1/webhooks", { url })
  if (status !== 201) throw new Error(`webhook: ${status} ${JSON.stringify(body)}`)
}

export const factoriesOf = async (service: ServiceClient): Promise<ClientOptions["factories"]> =>
  (await service.untilSuccessful("/api/v1/wallets/factories")).body.factories

export const webhookEventOf = ({ event, headers }: ReceivedEvent): WebhookEvent => ({
  id: String(headers["webhook-id"]),
  type: event.type,
  resource: event.data.id ?? event.data.walletAddress,
  sequence: event.data.sequence
})

/** Waits until no work is pending and every event is delivered, or until a timeout. Returns the remaining problems. */
const findProblemsOnceSettled = async (
  journal: Journal,
  service: ServiceClient,
  { onChain, there: otherChainEvents }: { readonly onChain: ChainEvents; readonly there: ChainEvents },
  isSteady: boolean,
  events: () => ReadonlyArray<WebhookEvent>
): Promise<Array<string>> => {
  const deadline = performance.now() + SETTLING_TIMEOUT_MS
  const receivers = [...journal.quotes.values()].flatMap(({ receiver = [] }) => receiver)
  const recipients = [...journal.quotes.values()].flatMap(({ payments }) => [...payments.keys()])
  for (;;) {
    for (const wallet of journal.registrations) {
      while (
        (await historyOf(service, wallet, "&status=PROCESSING,ON_BRIDGE")).length > 0 &&
        performance.now() < deadline
      ) {
        await sleep(200)
      }
    }
    await onChain.read()
    const receivedAmounts = new Map([
      ...(await onChain.balances(USDC, recipients)),
      ...(await otherChainEvents.balances(USDC_ON_BASE, receivers))
    ])
    const chain = { isSteady, times: onChain.executionCounts, received: receivedAmounts }
    const records = await recordsOf(service, journal.registrations, journal.quotes.keys())
    const problems = audit(journal, records, chain, events())
    if (problems.length === 0 || performance.now() > deadline) return [...problems]
    // Waits for the next check, which detects the last reorg. Events of a killed worker are sent again when its claim
    // expires.
    await sleep(500)
  }
}
