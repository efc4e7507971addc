import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join, resolve } from "node:path"
import { type EvmChainId, evmChainIds } from "@countersign/core/foundation/chains"
import type { Address } from "@countersign/core/foundation/primitives"
import { ensurePrivateFolder, PRIVATE_FILE_MODE } from "../../src/storage/files/index.ts"
import { SandboxRelayer } from "../across/SandboxRelayer.ts"
import { SandboxLiFi } from "../aggregators/lifi-bitcoin/SandboxLiFi.ts"
import { processOrNone } from "../anvil/processes.ts"
import { SandboxBitcoin } from "../bitcoin/SandboxBitcoin.ts"
import type { Artifacts } from "../contracts/index.ts"
import type { SandboxKeys } from "../keys.ts"
import { SandboxError } from "../SandboxError.ts"
import type { SandboxService } from "../SandboxService.ts"
import { SandboxThorchain } from "../thorchain/SandboxThorchain.ts"
import { fund, missingAmountOf } from "./faucet.ts"
import { SandboxChain } from "./SandboxChain.ts"
import { SandboxClock } from "./SandboxClock.ts"

interface LockHolder {
  readonly pid: number
  readonly startMark: string
}

const isAlive = ({ pid, startMark }: LockHolder): boolean => {
  const holderProcess = processOrNone(pid)
  return holderProcess !== undefined && holderProcess.startMark === startMark
}

const holderOrNone = (file: string): LockHolder | undefined => {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as LockHolder
  } catch {
    return undefined
  }
}

/**
 * Locks the home folder for this process until the returned function is called. Otherwise a second process would treat
 * the first one's chains as orphans. The lock of a process that no longer runs is taken over.
 */
const lockHome = (home: string): (() => void) => {
  const file = join(home, "sandbox.lock")
  const holder = holderOrNone(file)
  if (holder !== undefined && isAlive(holder)) {
    throw new SandboxError({
      message:
        `Another sandbox (process ${holder.pid}) uses the folder ${home}. Only one sandbox can use a folder at a time. ` +
        "Stop that process, or set COUNTERSIGN_HOME to another folder."
    })
  }
  rmSync(file, { force: true })
  const { pid } = process
  writeFileSync(file, JSON.stringify({ pid, startMark: processOrNone(pid)?.startMark }), {
    flag: "wx",
    mode: PRIVATE_FILE_MODE
  })
  return () => rmSync(file, { force: true })
}

const MAX_STEP_SECONDS = 10 * 366 * 86_400

export interface NetworkOptions {
  readonly home: string
  readonly fresh: boolean
  /** Chains that start immediately. The others start when they are first used. */
  readonly eager: ReadonlyArray<EvmChainId>
  readonly artifacts: Artifacts
  readonly keys: SandboxKeys
}

export interface ChainStatus {
  readonly chainId: EvmChainId
  readonly running: boolean
  readonly pid?: number
  readonly blockNumber?: number
}

/** The nine chains in one home folder, with their clock and their faucet. */
export class SandboxNetwork {
  readonly clock: SandboxClock
  readonly relayer: SandboxRelayer
  /** The service that uses these chains; null until it starts. */
  service: SandboxService | null = null
  readonly bitcoin: SandboxBitcoin
  readonly thorchain: SandboxThorchain
  /** LI.FI's bridge from and to Bitcoin. */
  readonly lifi: SandboxLiFi
  readonly #options: NetworkOptions
  readonly #unlock: () => void
  readonly #chains: ReadonlyMap<EvmChainId, SandboxChain>
  readonly #abandon = () => {
    for (const chain of this.#chains.values()) chain.running?.abandon()
  }

  private constructor(options: NetworkOptions, home: string, unlock: () => void) {
    this.#options = options
    this.#unlock = unlock
    this.clock = new SandboxClock(home)
    this.bitcoin = new SandboxBitcoin(home, this.clock)
    this.#chains = new Map(
      evmChainIds.map((chainId) => {
        const folder = join(home, "chains", `${chainId}`)
        const onChange = () => this.relayer.onChange(chainId)
        const onRewind = () => {
          this.relayer.readAgain()
          this.lifi.readAgain()
        }
        const { artifacts, keys } = options
        return [chainId, new SandboxChain(chainId, folder, this.clock, artifacts, keys, onChange, onRewind)]
      })
    )
    const context = {
      home,
      clock: this.clock,
      bitcoin: this.bitcoin,
      chain: (chainId: EvmChainId) => this.chain(chainId),
      fund: (chainId: EvmChainId, receiver: Address, token: Address | "native", amount: bigint) =>
        this.fund(chainId, receiver, token, amount),
      account: options.keys.deployer.address
    }
    this.relayer = new SandboxRelayer(context)
    this.thorchain = new SandboxThorchain(context)
    this.lifi = new SandboxLiFi(context)
    process.once("exit", this.#abandon)
  }

  static async open(options: NetworkOptions): Promise<SandboxNetwork> {
    const home = resolve(options.home)
    ensurePrivateFolder(home)
    const unlock = lockHome(home)
    const network = new SandboxNetwork(options, home, unlock)
    try {
      await Promise.all([...network.#chains.values()].map((chain) => chain.reap()))
      if (options.fresh) {
        await rm(join(home, "chains"), { recursive: true, force: true })
        await network.bitcoin.reset()
        await network.clock.move(0)
        await network.relayer.clear()
        await network.thorchain.clear()
        await network.lifi.clear()
      }
      await network.#startEager()
      return network
    } catch (cause) {
      await network.close()
      throw cause
    }
  }

  chain(chainId: EvmChainId): SandboxChain {
    return this.#chains.get(chainId)!
  }

  fund(chainId: EvmChainId, receiver: Address, token: Address | "native", amount: bigint): Promise<void> {
    return fund(this.chain(chainId), this.#options.keys, receiver, token, amount)
  }

  async fundUpTo(chainId: EvmChainId, receiver: Address, token: Address | "native", amount: bigint): Promise<void> {
    const missingAmount = await missingAmountOf(this.chain(chainId), receiver, token, amount)
    if (missingAmount > 0n) await this.fund(chainId, receiver, token, missingAmount)
  }

  async blockNumber(chainId: EvmChainId): Promise<number> {
    return Number(await this.chain(chainId).call("eth_blockNumber"))
  }

  /**
   * Advances the clock. Stores the offset before the chains apply it, so that a chain that misses the change applies it
   * when it starts.
   */
  async advance(seconds: number): Promise<void> {
    if (!Number.isSafeInteger(seconds) || seconds < 1 || seconds > MAX_STEP_SECONDS) {
      throw new SandboxError({
        message: `The clock cannot advance by ${seconds} seconds. Use an integer from 1 to ${MAX_STEP_SECONDS}.`
      })
    }
    await this.clock.move(this.clock.offsetSeconds + seconds)
    await Promise.all([...this.#chains.values()].map((chain) => chain.followClock()))
    await this.bitcoin.followClock()
    this.relayer.wake()
  }

  async reset(): Promise<void> {
    await Promise.all([...this.#chains.values()].map((chain) => chain.reset()))
    await this.bitcoin.reset()
    await this.clock.move(0)
    await this.relayer.clear()
    await this.thorchain.clear()
    await this.lifi.clear()
    await this.#startEager()
  }

  status(): Promise<ReadonlyArray<ChainStatus>> {
    return Promise.all(
      [...this.#chains.values()].map(async (chain): Promise<ChainStatus> => {
        const { chainId, running } = chain
        if (running === undefined) return { chainId, running: false }
        const blockNumber = Number(await running.rpc.call("eth_blockNumber"))
        return { chainId, running: true, pid: running.pid, blockNumber }
      })
    )
  }

  async close(): Promise<void> {
    process.removeListener("exit", this.#abandon)
    await this.relayer.close()
    await this.thorchain.close()
    await this.lifi.close()
    await this.bitcoin.close()
    await Promise.all([...this.#chains.values()].map((chain) => chain.close()))
    this.#unlock()
  }

  #startEager(): Promise<unknown> {
    return Promise.all(this.#options.eager.map((chainId) => this.chain(chainId).ensure()))
  }
}
