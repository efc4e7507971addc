import type { SandboxChains } from "@countersign/adapters/sandbox"
import { Effect, ManagedRuntime } from "effect"
import { createPublicClient, type Hex, http, parseAbiItem } from "viem"
import { runOnSandbox } from "../../fleet/onSandbox.ts"
import { createApiKey, layerOperator } from "../../fleet/operator.ts"
import type { ServerAssignment } from "../../fleet/ServerAssignment.ts"
import { ServerFleet } from "../../fleet/ServerFleet.ts"
import type { KillOptions } from "../KillRun.ts"
import { killAtMoments } from "../killAtMoments.ts"
import { Moments } from "../Moments.ts"
import { historyOf } from "../Records.ts"
import { SeededRandom } from "../SeededRandom.ts"
import { ServiceClient } from "../ServiceClient.ts"
import { type AuditInput, audit, type PaymentRecord } from "./auditPayments.ts"
import { bitcoinTxidsOf, type Payouts } from "./auditSwaps.ts"
import { readMinedTransactions, satoshisPaid } from "./esplora.ts"
import { Payer } from "./Payer.ts"
import { PaymentJournal } from "./PaymentJournal.ts"
import { USDC } from "./Swapper.ts"

export interface PaymentKillReport {
  readonly points: number
  readonly seconds: number
  readonly quotes: number
  readonly promised: number
  readonly unknown: number
  /** Number of confirmed transactions of the payers. */
  readonly onChain: number
  readonly cancelledCount: number
  /** Number of signed swaps from Bitcoin, by provider and final state. */
  readonly swaps: ReadonlyMap<string, number>
  readonly reorgs: number
  readonly problems: ReadonlyArray<string>
}

/**
 * Milliseconds for which a kill waits until a request is in flight. It is long, because a payment takes several
 * requests.
 */
const MOMENT_TIMEOUT_MS = 10_000
const SETTLING_TIMEOUT_MS = 240_000
const MINE_PROBABILITY = 0.6
const REORG_PROBABILITY = 0.15
const MAX_REORG_DEPTH = 3
/** Number of confirmations after which a payment is final. */
const CONFIRMATIONS = 6
/** Seconds by which the clock is advanced, so that the next check of a stage is due. */
const POLL_SECONDS = 25
/** Modes of the bridges for swaps from Bitcoin. A mode applies until the next change. */
const bridgeModes = [
  { mode: "PAY", delaySeconds: 0 },
  { mode: "PAY", delaySeconds: 0 },
  { mode: "PAY", delaySeconds: 120 },
  { mode: "REFUND" },
  { mode: "HALT" }
] as const
const BRIDGE_CHANGE_PROBABILITY = 0.4

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Kills servers at random times during payments, bumps, cancellations and swaps, on a Bitcoin chain with reorgs. */
export const runPaymentKills = (
  options: Pick<KillOptions, "clients" | "database" | "points" | "processes" | "seed">
): Promise<PaymentKillReport> => {
  // The servers inherit this variable, which enables LI.FI in their sandbox.
  process.env.COUNTERSIGN_SANDBOX_AGGREGATORS = "on"
  return runOnSandbox({ chainIds: [1], database: options.database }, (chains, assignment) =>
    runKillsOn(options, assignment, chains)
  )
}

const runKillsOn = async (
  { clients, points, processes, seed }: Pick<KillOptions, "clients" | "points" | "processes" | "seed">,
  assignment: ServerAssignment,
  chains: SandboxChains["Service"]
): Promise<PaymentKillReport> => {
  const startedAt = performance.now()
  const random = new SeededRandom(seed)
  const journal = new PaymentJournal()
  const { control, esploraUrl } = chains.bitcoin
  const controlNode = (request: Parameters<typeof control>[0]) => Effect.runPromise(control(request))
  await controlNode({ hasBlocks: false })
  const database = ManagedRuntime.make(layerOperator(assignment))
  const apiKey = await database.runPromise(createApiKey(chains.keys.treasury.address))
  await database.dispose()
  let reorgCount = 0
  const setBridgeModes = (mode: (typeof bridgeModes)[number]) =>
    Promise.all(
      ["thorchain", "lifi"].map((name) =>
        fetch(`${assignment.gatewayUrl}/${name}`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(mode)
        })
      )
    )
  const injectDisturbance = async () => {
    if (random.fraction() < BRIDGE_CHANGE_PROBABILITY)
      await setBridgeModes(bridgeModes[random.below(bridgeModes.length)]!)
    await Effect.runPromise(chains.advanceClock(POLL_SECONDS))
    if (random.fraction() < MINE_PROBABILITY) await controlNode({ mine: 1 })
    if (random.fraction() >= REORG_PROBABILITY) return
    reorgCount++
    await controlNode({ reorg: 1 + random.below(MAX_REORG_DEPTH) })
  }
  const fleet = await ServerFleet.of(assignment, processes)
  const serviceOf = (offset: number) => new ServiceClient(apiKey, (nth) => fleet.url(nth + offset))
  const moments = new Moments()
  let isOver = false
  try {
    await fleet.start()
    const payers = Array.from({ length: clients }, async (_, i) => {
      const payer = new Payer({
        name: `${seed}/${i}`,
        service: serviceOf(i),
        random: new SeededRandom(seed + 1 + i),
        journal,
        fund: async (address, satoshis) => {
          await controlNode({ address, satoshis })
          await controlNode({ mine: MAX_REORG_DEPTH + 1 })
        },
        onMoment: moments.came
      })
      while (!isOver) await payer.operate()
    })
    const payersDone = Promise.all(payers).then(() => undefined)
    payersDone.catch(() => undefined)
    await killAtMoments(fleet, {
      points,
      processes,
      random,
      moments,
      at: ["started", "quote", "execute", "executed"],
      momentTimeoutMs: MOMENT_TIMEOUT_MS,
      failure: payersDone,
      onKill: injectDisturbance
    })
    isOver = true
    await payersDone
    await setBridgeModes(bridgeModes[0])
    const settle = async () => {
      await controlNode({ mine: CONFIRMATIONS + 1 })
      await Effect.runPromise(chains.advanceClock(POLL_SECONDS))
    }
    const { problems, input } = await checkOnceSettled(
      journal,
      serviceOf(0),
      { esploraUrl, rpcUrl: chains.rpcUrl(1) },
      settle
    )
    const exitCodes = await fleet.stop()
    const records = input.wallets.flatMap((wallet) => wallet.records)
    return {
      points,
      seconds: (performance.now() - startedAt) / 1_000,
      quotes: journal.quotes.size,
      promised: journal.count("PROMISED"),
      unknown: journal.count("UNKNOWN"),
      onChain: records.filter(({ status, type }) => type === "TRANSFER" && status === "COMPLETED").length,
      cancelledCount: records.filter(({ status }) => status === "CANCELLED").length,
      swaps: countSwaps(journal, records),
      reorgs: reorgCount,
      problems: exitCodes.some((code) => code !== 0)
        ? [...problems, `servers ended with ${exitCodes.join()}`]
        : problems
    }
  } finally {
    isOver = true
    await fleet.close()
  }
}

const countSwaps = (journal: PaymentJournal, records: ReadonlyArray<PaymentRecord>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const { provider, txid } of journal.swaps.values()) {
    const status = records.find((record) => bitcoinTxidsOf(record)[0] === txid)?.status ?? "never sent"
    const name = `${provider} ${status}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}

/** Returns all payments of USDC to these addresses, from the chain's events. */
const readPayouts = async (rpcUrl: string, receivers: ReadonlyArray<string>): Promise<Payouts> => {
  if (receivers.length === 0) return new Map()
  const logs = await createPublicClient({ transport: http(rpcUrl) }).getLogs({
    address: USDC,
    event: parseAbiItem("event Transfer(address indexed from, address indexed to, uint256 value)"),
    args: { to: receivers as Array<Hex> },
    fromBlock: 0n
  })
  const logsByReceiver = Map.groupBy(logs, ({ args }) => args.to!.toLowerCase())
  return new Map([...logsByReceiver].map(([to, transferLogs]) => [to, transferLogs.map(({ args }) => args.value!)]))
}

/** Waits until no payment is pending, or until a timeout. Returns the remaining problems. */
const checkOnceSettled = async (
  journal: PaymentJournal,
  service: ServiceClient,
  { esploraUrl, rpcUrl }: { readonly esploraUrl: string; readonly rpcUrl: string },
  settle: () => Promise<void>
) => {
  const deadline = performance.now() + SETTLING_TIMEOUT_MS
  const receivers = new Set([...journal.payments.values()].map(({ receiver }) => receiver))
  for (;;) {
    await settle()
    await sleep(1_000)
    const wallets = await Promise.all(
      [...journal.wallets.keys()].map(async (address) => ({
        address,
        records: (await historyOf(service, address)) as unknown as ReadonlyArray<PaymentRecord>,
        minedTransactions: await readMinedTransactions(esploraUrl, address)
      }))
    )
    const receivedAmounts = new Map<string, number>()
    for (const receiver of receivers) {
      const paidTransactions = await readMinedTransactions(esploraUrl, receiver)
      receivedAmounts.set(
        receiver,
        paidTransactions.reduce((sum, transaction) => sum + satoshisPaid(transaction, receiver), 0)
      )
    }
    const payouts = await readPayouts(
      rpcUrl,
      [...journal.swaps.values()].map(({ receiver }) => receiver)
    )
    const input: AuditInput = { wallets, received: receivedAmounts, payouts }
    const problems = audit(journal, input)
    if (problems.length === 0 || performance.now() > deadline) return { problems, input }
  }
}
