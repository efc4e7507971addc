import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Address } from "@countersign/core/foundation/primitives"
import { encodeFunctionData, type Hex, maxUint256, numberToHex } from "viem"
import { acrossOrNull } from "../../src/chains/deployments/index.ts"
import { encoderOf, erc20Abi, type LogResponse } from "../../src/chains/evm/index.ts"
import {
  addressToWord,
  type Deposit,
  depositInLog,
  FUNDS_DEPOSITED,
  relayHashOf,
  spokePoolAbi,
  wordToAddress
} from "../../src/exchanges/across/index.ts"
import type { SandboxChain } from "../network/SandboxChain.ts"
import type { SandboxClock } from "../network/SandboxClock.ts"
import { type SandboxReceipt, transact } from "../network/transact.ts"
import { type RelayerMode, RelayerSettings } from "./RelayerSettings.ts"
import { executeLeafData, type RefundBundle, refundBundlesOf, relayRootData, rootBundleIdOf } from "./refundBundles.ts"

/** What the relayer needs from the sandbox. */
export interface RelayerContext {
  readonly home: string
  readonly clock: SandboxClock
  readonly chain: (chainId: EvmChainId) => SandboxChain
  readonly fund: (chainId: EvmChainId, receiver: Address, token: Address, amount: bigint) => Promise<void>
  /** The account that sends fills, and that administers the SpokePools. */
  readonly account: Address
}

const UNFILLED = 0n
const MAX_TIMER_MS = 60_000
const RETRY_MS = 1_000
/** Delays after which the relayer checks a chain that received a transaction, in real milliseconds. */
const RECHECK_DELAYS_MS = [50, 300]
/** The faucet sends the relayer this multiple of a fill's amount, so that only few fills need the faucet. */
const FILLS_PER_FUNDING = 1_000n

const poolData = encoderOf(spokePoolAbi)
const tokenData = encoderOf(erc20Abi)
const keyOf = ({ originChainId, relay }: Deposit): string => `${originChainId}:${relay.depositId}`
const spokePoolOf = (chainId: EvmChainId): Address => acrossOrNull(chainId)!.spokePool

/**
 * Simulates Across's relayers. Fills deposits on their destination chain with its own tokens, as its settings define,
 * and refunds deposits that were not filled in time. It checks the chains when a block is mined, when the clock
 * advances, and when a delay ends.
 */
export class SandboxRelayer {
  readonly #world: RelayerContext
  readonly #settings: RelayerSettings
  /** The next block to read, by chain. */
  readonly #next = new Map<EvmChainId, bigint>()
  readonly #changed = new Set<EvmChainId>()
  readonly #pending = new Map<string, Deposit>()
  #timer: NodeJS.Timeout | undefined
  #polling: Promise<void> | undefined
  #recheck = false
  #isRewound = false
  #isClosed = false

  constructor(context: RelayerContext) {
    this.#world = context
    this.#settings = new RelayerSettings(context.home)
  }

  get mode(): RelayerMode {
    return this.#settings.mode
  }

  async setMode(mode: RelayerMode): Promise<void> {
    await this.#settings.setMode(mode)
    this.wake()
  }

  /** Schedules checks after a chain has received transactions, because their block may be mined a moment later. */
  onChange(chainId: EvmChainId): void {
    this.wake(chainId)
    for (const milliseconds of RECHECK_DELAYS_MS) setTimeout(() => this.wake(chainId), milliseconds).unref()
  }

  /** Checks pending deposits and the new blocks of a chain. If a check is already running, another check follows it. */
  wake(changedChainId?: EvmChainId): void {
    if (changedChainId !== undefined && acrossOrNull(changedChainId) !== null) this.#changed.add(changedChainId)
    if (this.#isClosed || (!this.#isRewound && this.#pending.size + this.#changed.size === 0)) return
    if (this.#polling !== undefined) {
      this.#recheck = true
      return
    }
    this.#polling = this.#poll()
      .catch((cause: unknown) => {
        if (this.#isClosed) return
        this.#wakeIn(RETRY_MS)
        process.stderr.write(`The sandbox's relayer failed and tries again: ${String(cause)}\n`)
      })
      .finally(() => {
        this.#polling = undefined
        if (!this.#recheck) return
        this.#recheck = false
        this.wake()
      })
  }

  /**
   * Reads the chains from the start again after a reorg, because the reorg may have removed a deposit, its refund, or
   * its fill on another chain.
   */
  readAgain(): void {
    this.#isRewound = true
    for (const chainId of this.#next.keys()) this.onChange(chainId)
  }

  /** Removes all deposits after the chains were reset. */
  async clear(): Promise<void> {
    this.#next.clear()
    this.#pending.clear()
    await this.#settings.setRefunds({})
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#polling
  }

  async #poll(): Promise<void> {
    if (this.#isRewound) {
      this.#isRewound = false
      // Set here and not in `readAgain`, because a poll in flight at that time would mark blocks as read that the reorg
      // has replaced.
      for (const chainId of this.#next.keys()) this.#changed.add(chainId)
      this.#next.clear()
      this.#pending.clear()
      await this.#deleteLostRefunds().catch((cause: unknown) => {
        this.#isRewound = true
        throw cause
      })
    }
    for (const chainId of [...this.#changed]) {
      this.#changed.delete(chainId)
      await this.#readDeposits(chainId).catch((cause: unknown) => {
        this.#changed.add(chainId)
        throw cause
      })
    }
    const expiredDeposits: Array<Deposit> = []
    for (const deposit of [...this.#pending.values()]) {
      if (await this.#isFilled(deposit)) this.#pending.delete(keyOf(deposit))
      else if (deposit.relay.fillDeadline < this.#world.clock.nowSeconds()) expiredDeposits.push(deposit)
      else if (this.#isDue(deposit)) await this.#fill(deposit)
    }
    for (const bundle of refundBundlesOf(expiredDeposits)) await this.#refund(bundle)
    this.#wakeForNext()
  }

  async #readDeposits(chainId: EvmChainId): Promise<void> {
    const chain = this.#world.chain(chainId)
    // A stopped chain is checked when it is started again.
    if (chain.running === undefined) return
    const head = BigInt((await chain.call("eth_blockNumber")) as Hex)
    const nextBlock = this.#next.get(chainId) ?? 0n
    // If the chain was rewound, it is read from its first block again.
    const fromBlock = nextBlock > head + 1n ? 0n : nextBlock
    if (fromBlock > head) return
    const address = spokePoolOf(chainId)
    const filter = {
      address,
      topics: [FUNDS_DEPOSITED],
      fromBlock: numberToHex(fromBlock),
      toBlock: numberToHex(head)
    }
    for (const log of (await chain.call("eth_getLogs", filter)) as ReadonlyArray<LogResponse>) {
      const deposit = depositInLog(chainId, address, log)
      if (deposit !== null && !this.#settings.isRefunded(keyOf(deposit))) this.#pending.set(keyOf(deposit), deposit)
    }
    this.#next.set(chainId, head + 1n)
  }

  async #isFilled(deposit: Deposit): Promise<boolean> {
    const chainId = deposit.destinationChainId
    if (acrossOrNull(chainId) === null) return false
    const data = poolData("fillStatuses", [relayHashOf(deposit)])
    const status = await this.#world.chain(chainId).call("eth_call", { to: spokePoolOf(chainId), data }, "latest")
    return BigInt(status as Hex) !== UNFILLED
  }

  #dueSeconds({ quoteTimestamp }: Deposit): number | null {
    const { mode } = this.#settings
    return mode.mode === "OFF" ? null : quoteTimestamp + mode.delaySeconds
  }

  #isDue(deposit: Deposit): boolean {
    const dueSeconds = this.#dueSeconds(deposit)
    return (
      dueSeconds !== null &&
      dueSeconds <= this.#world.clock.nowSeconds() &&
      acrossOrNull(deposit.destinationChainId) !== null
    )
  }

  async #fill({ destinationChainId: chainId, relay }: Deposit): Promise<void> {
    const { account } = this.#world
    await this.#fundRelayer(chainId, wordToAddress(relay.outputToken), relay.outputAmount)
    await this.#send(
      chainId,
      spokePoolOf(chainId),
      encodeFunctionData({
        abi: spokePoolAbi,
        functionName: "fillRelay",
        args: [relay, BigInt(chainId), addressToWord(account)]
      })
    )
  }

  /** Provides the tokens and the allowance that a fill needs. */
  async #fundRelayer(chainId: EvmChainId, token: Address, amount: bigint): Promise<void> {
    const { account } = this.#world
    const spender = spokePoolOf(chainId)
    const readContract = async (data: Hex) =>
      BigInt((await this.#world.chain(chainId).call("eth_call", { to: token, data }, "latest")) as Hex)
    if ((await readContract(tokenData("balanceOf", [account]))) < amount) {
      await this.#world.fund(chainId, account, token, amount * FILLS_PER_FUNDING)
    }
    if ((await readContract(tokenData("allowance", [account, spender]))) < amount) {
      await this.#send(chainId, token, tokenData("approve", [spender, maxUint256]))
    }
  }

  async #refund(bundle: RefundBundle): Promise<void> {
    const pool = spokePoolOf(bundle.chainId)
    const relayReceipt = await this.#send(bundle.chainId, pool, relayRootData(bundle))
    const execution = await this.#send(bundle.chainId, pool, executeLeafData(bundle, rootBundleIdOf(relayReceipt.logs)))
    const keys = bundle.deposits.map(keyOf)
    const addedRefunds = Object.fromEntries(keys.map((key) => [key, execution.transactionHash]))
    await this.#settings.setRefunds({ ...this.#settings.refunds, ...addedRefunds })
    for (const key of keys) this.#pending.delete(key)
  }

  /** Removes the refunds whose transactions a reorg has removed, so that they are paid again. */
  async #deleteLostRefunds(): Promise<void> {
    const keptRefunds: Array<readonly [string, string]> = []
    for (const [key, hash] of Object.entries(this.#settings.refunds)) {
      const chain = this.#world.chain(Number(key.split(":")[0]) as EvmChainId)
      const isLost = chain.running !== undefined && (await chain.call("eth_getTransactionReceipt", hash)) === null
      if (!isLost) keptRefunds.push([key, hash])
    }
    await this.#settings.setRefunds(Object.fromEntries(keptRefunds))
  }

  async #send(chainId: EvmChainId, to: Address, data: Hex): Promise<SandboxReceipt> {
    const receipt = await transact(this.#world.chain(chainId), { from: this.#world.account, to, data })
    if (receipt?.status !== "0x1")
      throw new Error(`a call to ${to} on chain ${chainId} reverted, or a reorg removed it`)
    return receipt
  }

  /** Sets a timer for the next fill delay or fill deadline, because no block may be mined until then. */
  #wakeForNext(): void {
    const now = this.#world.clock.nowSeconds()
    const times = [...this.#pending.values()].map((deposit) => {
      const dueSeconds = this.#dueSeconds(deposit)
      return dueSeconds !== null && dueSeconds > now ? dueSeconds : deposit.relay.fillDeadline + 1
    })
    if (times.length > 0) this.#wakeIn((Math.min(...times) - now) * 1_000)
  }

  #wakeIn(milliseconds: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.wake(), Math.min(MAX_TIMER_MS, Math.max(0, milliseconds)))
    this.#timer.unref()
  }
}
