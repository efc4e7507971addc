import type { SandboxChains } from "@countersign/adapters/sandbox"
import { Address } from "@countersign/core/foundation/primitives"
import { IndividualId, VerifiedIndividuals } from "@countersign/core/identity"
import { DateTime, Effect, ManagedRuntime } from "effect"
import { BANK_ADDRESS } from "../../../../adapters/sandbox/bank/index.ts"
import { runOnSandbox } from "../../fleet/onSandbox.ts"
import { layerOperator, newProject } from "../../fleet/operator.ts"
import type { ServerAssignment } from "../../fleet/ServerAssignment.ts"
import { ServerFleet } from "../../fleet/ServerFleet.ts"
import { USDC } from "../../support/accounts.ts"
import { startWebhookReceiver } from "../../support/webhookReceiver.ts"
import { factoriesOf, type KillOptions, subscribe, webhookEventOf } from "../KillRun.ts"
import { killAtMoments } from "../killAtMoments.ts"
import { Moments } from "../Moments.ts"
import { historyOf } from "../Records.ts"
import { SeededRandom } from "../SeededRandom.ts"
import { ServiceClient } from "../ServiceClient.ts"
import { BankDesk } from "./BankDesk.ts"
import { BankTransfers } from "./BankTransfers.ts"
import { FiatClient } from "./FiatClient.ts"
import { FiatJournal } from "./FiatJournal.ts"
import { auditFiat, type FiatRecords, type OrderRecord, totalsOf } from "./fiatAudit.ts"

export interface FiatKillReport {
  readonly points: number
  readonly seconds: number
  /** Number of orders by direction and final state. */
  readonly orders: ReadonlyMap<string, number>
  /** Totals by currency code, in cents. */
  readonly totals: ReturnType<typeof totalsOf>
  readonly problems: ReadonlyArray<string>
}

const SETTLING_TIMEOUT_MS = 240_000
/** Timeout of the wait for a request before a kill. A kill before the first request would test nothing. */
const MOMENT_TIMEOUT_MS = 20_000
const EVENTS_PATH = "/events"
const CHAIN = 1

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Kills servers at random times during fiat orders. Then compares the bank, the orders, the history and the chain. */
export const runFiatKills = (options: KillOptions): Promise<FiatKillReport> =>
  runOnSandbox({ chainIds: [CHAIN], database: options.database }, (chains, assignment) =>
    runKillsOn(options, assignment, chains)
  )

const runKillsOn = async (options: KillOptions, assignment: ServerAssignment, chains: SandboxChains["Service"]) => {
  const startedAt = performance.now()
  const random = new SeededRandom(options.seed)
  const journal = new FiatJournal()
  const bank = new BankDesk(assignment.gatewayUrl)
  const transfers = new BankTransfers(chains.rpcUrl(CHAIN), USDC, BANK_ADDRESS)
  await transfers.read()
  const individuals = Array.from({ length: options.clients }, (_, i) => `person-${i}`)
  const apiKey = await prepareProject(assignment, chains.keys.treasury.address, individuals)
  for (const individualId of individuals) await bank.act("customer", { individualId })
  const fleet = await ServerFleet.of(assignment, options.processes)
  const receiver = await startWebhookReceiver()
  const serviceOf = (offset: number) => new ServiceClient(apiKey, (nth) => fleet.url(nth + offset))
  const moments = new Moments()
  let isOver = false
  try {
    await fleet.start()
    const service = serviceOf(0)
    await subscribe(service, receiver.url(EVENTS_PATH))
    const factories = await factoriesOf(service)
    const clients = individuals.map(
      (individualId, i) =>
        new FiatClient({
          name: `fiat ${options.seed}/${i}`,
          service: serviceOf(i),
          bank,
          factories,
          random: new SeededRandom(options.seed + 1 + i),
          journal,
          individualId,
          fund: (address) =>
            Effect.runPromise(chains.fund(CHAIN, Address.make(address), Address.make(USDC), 10n ** 12n)),
          onMoment: moments.came
        })
    )
    const clientRuns = clients.map(async (client) => {
      while (!isOver) await client.operate()
      await client.finish()
    })
    const workDone = Promise.all(clientRuns).then(() => undefined)
    workDone.catch(() => undefined)
    await killAtMoments(fleet, {
      ...options,
      random,
      moments,
      at: ["started", "quote", "order", "order", "execute", "executed", "bank", "bank"],
      momentTimeoutMs: MOMENT_TIMEOUT_MS,
      failure: workDone,
      onKill: () => transfers.read()
    })
    isOver = true
    await workDone
    const { problems, records } = await waitForRecords(journal, service, bank, transfers, () =>
      receiver.at(EVENTS_PATH).map(webhookEventOf)
    )
    const exitCodes = await fleet.stop()
    return {
      points: options.points,
      seconds: (performance.now() - startedAt) / 1000,
      orders: new Map(
        [...Map.groupBy(records.orders, ({ direction, status }) => `${direction} ${status}`)].map(([name, all]) => [
          name,
          all.length
        ])
      ),
      totals: totalsOf(records.ledger),
      problems: exitCodes.every((code) => code === 0)
        ? problems
        : [...problems, `servers ended with ${exitCodes.join()} when asked to`]
    } satisfies FiatKillReport
  } finally {
    isOver = true
    receiver.stop()
    await fleet.close()
  }
}

/** Creates a project with verified individuals. Returns its key. */
const prepareProject = async (assignment: ServerAssignment, treasury: Address, individuals: ReadonlyArray<string>) => {
  const operator = ManagedRuntime.make(layerOperator(assignment))
  const { apiKey, id } = await operator.runPromise(newProject(treasury))
  const verifiedAt = DateTime.makeUnsafe(1)
  for (const individual of individuals) {
    await operator.runPromise(
      VerifiedIndividuals.use((store) => store.verify(id, { id: IndividualId.make(individual), verifiedAt }))
    )
  }
  await operator.dispose()
  return apiKey
}

const readOrders = async (service: ServiceClient, journal: FiatJournal): Promise<ReadonlyArray<OrderRecord>> => {
  const orders: Array<OrderRecord> = []
  for (const id of journal.orders.keys()) {
    const { body, status } = await service.untilSuccessful(`/api/v2/fiat/orders/${id}`)
    if (status === 200) orders.push(body.order)
  }
  return orders
}

/**
 * Waits until no work is pending and every event is delivered, or until a timeout. Returns the records of all parties.
 */
const waitForRecords = async (
  journal: FiatJournal,
  service: ServiceClient,
  bank: BankDesk,
  transfers: BankTransfers,
  events: () => ReadonlyArray<ReturnType<typeof webhookEventOf>>
) => {
  const deadline = performance.now() + SETTLING_TIMEOUT_MS
  for (;;) {
    await transfers.read()
    const histories = await Promise.all([...journal.wallets].map((wallet) => historyOf(service, wallet)))
    const records: FiatRecords = {
      orders: await readOrders(service, journal),
      transactions: histories.flat(),
      ledger: await bank.ledger(),
      givenUnits: transfers.givenUnits,
      takenUnits: transfers.takenUnits
    }
    const problems = auditFiat(journal, records, events())
    if (problems.length === 0 || performance.now() > deadline) return { problems, records }
    await sleep(1_000)
  }
}
