import { parseArgs } from "node:util"
import type { SandboxChains } from "@countersign/adapters/sandbox"
import { Address } from "@countersign/core/foundation/primitives"
import { Effect, ManagedRuntime } from "effect"
import { runOnSandbox } from "../test/fleet/onSandbox.ts"
import { createApiKey, layerOperator } from "../test/fleet/operator.ts"
import type { ServerAssignment } from "../test/fleet/ServerAssignment.ts"
import { ServerFleet } from "../test/fleet/ServerFleet.ts"
import { SeededRandom } from "../test/kill/SeededRandom.ts"
import { ServiceClient } from "../test/kill/ServiceClient.ts"
import { UnreliableChain } from "../test/support/UnreliableChain.ts"

/** The chain that may have reorgs. */
export const CHAIN = 1

const MIN_LIFE_MS = 400
const LIVES_MS = 2_500
/** The probability that a kill is combined with a reorg. */
const REORG_PROBABILITY = 0.3
const DEEPEST = 3
const POLL_MS = 100
/**
 * Timeout in milliseconds. It is long because reorgs also remove the sandbox's own transactions, and anvil waits half a
 * minute for each of them.
 */
const TIMEOUT_MS = 600_000

/** Parses `--rounds 5 --seed 1 --database postgres --processes 2 --reorg` from the command line. */
export const killOptions = (rounds: number) => {
  const { values } = parseArgs({
    options: {
      rounds: { type: "string", default: String(rounds) },
      seed: { type: "string", default: "1" },
      database: { type: "string", default: "sqlite" },
      processes: { type: "string" },
      reorg: { type: "boolean", default: false }
    }
  })
  const isPostgres = values.database === "postgres"
  return {
    rounds: Number(values.rounds),
    seed: Number(values.seed),
    isPostgres,
    processes: isPostgres ? Number(values.processes ?? 2) : 1,
    hasReorgs: values.reorg
  }
}
export type KillOptions = ReturnType<typeof killOptions>

export interface KilledWallet {
  readonly name: string
  readonly address: string
  readonly privateKey: `0x${string}`
}

export interface ShownTransaction {
  readonly status: string
  readonly substatus: string | null
}

export const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

/** Starts servers that are repeatedly killed and replaced, on a sandbox whose first chain may have reorgs. */
const startKilledServers = async (
  options: KillOptions,
  chains: SandboxChains["Service"],
  assignment: ServerAssignment
) => {
  const random = new SeededRandom(options.seed)
  const operator = ManagedRuntime.make(layerOperator(assignment))
  const apiKey = await operator.runPromise(createApiKey(chains.keys.treasury.address))
  await operator.dispose()
  const fleet = await ServerFleet.of(assignment, options.processes)
  await fleet.start()
  const service = new ServiceClient(apiKey, (nth) => fleet.url(nth))
  const operators = Object.values(chains.keys.operators).map(({ address }) => address)
  const chain = options.hasReorgs ? new UnreliableChain(chains.rpcUrl(CHAIN), operators) : null
  await chain?.start()
  let kills = 0
  let reorgs = 0
  let isOver = false

  const killRepeatedly = async () => {
    while (!isOver) {
      await sleep(MIN_LIFE_MS + random.fraction() * LIVES_MS)
      if (isOver) return
      await fleet.kill(random.below(options.processes))
      kills++
      if (chain === null || random.fraction() >= REORG_PROBABILITY) continue
      await chain.reorg(1 + random.below(DEEPEST))
      reorgs++
    }
  }
  const killer = killRepeatedly()

  const requireOk = async (path: string, body?: object) => {
    const response = await service.untilSuccessful(path, body)
    if (response.status >= 400) throw new Error(`${path}: ${JSON.stringify(response.body)}`)
    return response.body
  }

  const fund = (address: string, token: string, amount: bigint): Promise<void> => {
    const fundWallet = () =>
      Effect.runPromise(
        chains.fundUpTo(CHAIN, Address.make(address), token === "native" ? token : Address.make(token), amount)
      )
    return chain === null ? fundWallet() : chain.lasting(DEEPEST + 1, fundWallet)
  }

  const transactionOf = async (id: string) => (await requireOk(`/api/v1/crypto/transactions/${id}`)).transaction

  return {
    chains,
    service,
    random,
    requireOk,
    fund,
    transactionOf,
    /** Waits until the condition is true for a transaction. */
    until: async (id: string, isSo: (transaction: ShownTransaction) => boolean) => {
      const deadline = Date.now() + TIMEOUT_MS
      for (;;) {
        const transaction = await transactionOf(id)
        if (isSo(transaction)) return transaction
        if (Date.now() > deadline) throw new Error(`The condition did not become true: ${JSON.stringify(transaction)}`)
        await sleep(POLL_MS)
      }
    },
    registered: async (): Promise<ReadonlyArray<KilledWallet>> => {
      const { factories } = await requireOk("/api/v1/wallets/factories")
      const wallets: Array<KilledWallet> = []
      for (const [i, { eip7702, factory, name }] of factories.entries()) {
        const { address: externallyOwnedAccount, privateKey } = chains.keys.owners[i]!
        const { wallet } = await requireOk("/api/v1/wallets/register", { externallyOwnedAccount, factory, eip7702 })
        wallets.push({ name, address: wallet.walletAddress, privateKey })
      }
      return wallets
    },
    advanceClock: (seconds: number) => Effect.runPromise(chains.advanceClock(seconds)),
    counts: () => `${kills} kills, ${reorgs} reorgs`,
    close: async () => {
      isOver = true
      await killer
      await chain?.stop()
      await fleet.close()
    }
  }
}
export type KilledServers = Awaited<ReturnType<typeof startKilledServers>>

/** Runs a function with servers that are repeatedly killed. Returns its result. */
export const withKilledServers = <A>(
  options: KillOptions,
  run: (killedServers: KilledServers) => Promise<A>
): Promise<A> =>
  runOnSandbox(
    { chainIds: [CHAIN], database: options.isPostgres ? "postgres" : "sqlite" },
    async (chains, assignment) => {
      const killedServers = await startKilledServers(options, chains, assignment)
      try {
        return await run(killedServers)
      } finally {
        await killedServers.close()
      }
    }
  )

/** The problems that a run found. Each is printed immediately, so that it is not lost if the run is interrupted. */
export class Problems {
  count = 0

  add(problem: string): void {
    this.count += 1
    process.stdout.write(`problem: ${problem}\n`)
  }
}

/** Prints how often each final state occurred and the number of problems, and exits. */
export const reportAndExit = (endings: ReadonlyMap<string, number>, { count }: Problems): never => {
  for (const [ending, times] of [...endings].sort()) process.stdout.write(`${String(times).padStart(5)}  ${ending}\n`)
  process.exit(count === 0 ? 0 : 1)
}
