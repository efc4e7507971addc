import { createHash } from "node:crypto"
import { join } from "node:path"
import { type EvmChainId, evmChainIds } from "@countersign/core/foundation/chains"
import { deploymentOf } from "../../../src/chains/deployments/index.ts"
import { payToken, publish, type VaultContext } from "../../vaults/payments.ts"
import { type VaultDeposit, VaultDeposits } from "../../vaults/VaultDeposits.ts"
import { isDue, type VaultMode } from "../../vaults/VaultMode.ts"
import { VaultRecord } from "../../vaults/VaultRecord.ts"
import { VaultWatch } from "../../vaults/VaultWatch.ts"
import { type ChainflipDeposit, ChainflipDeposits } from "./ChainflipDeposits.ts"
import { End } from "./End.ts"
import { decodeOrder } from "./order.ts"
import { type BitcoinData, lifiVault } from "./outOfBitcoin.ts"
import { rateOf, satoshisFor, tokensFor } from "./rates.ts"

/** Chains with a Chainflip Vault, which accepts deposits for swaps to BTC. */
const chainflipChains: ReadonlyArray<EvmChainId> = evmChainIds.filter(
  (chainId) => deploymentOf(chainId).lifi.chainflipVault !== undefined
)

/** A deposit that was detected on its chain. */
export interface DetectedDeposit {
  readonly isInBlock: boolean
  /** In base units. */
  readonly amount: bigint
  readonly end: End | undefined
}

/** Returns a transaction hash that does not exist. */
const unknownHash = (deposit: string): string => createHash("sha256").update(deposit).digest("hex")

/**
 * Simulates LI.FI's bridge between Bitcoin and the EVM chains. Detects payments to its Bitcoin vault, and deposits in
 * Chainflip's Vault contracts. Pays them out on the other side with its own tokens, refunds them, or ignores them, as
 * its settings define. It polls until one hour after the last request.
 */
export class SandboxLiFi {
  readonly #world: VaultContext
  readonly #record: VaultRecord<End>
  readonly #payments = new VaultDeposits(lifiVault.address)
  readonly #deposits = new Map(chainflipChains.map((chainId) => [chainId, new ChainflipDeposits(chainId)]))
  readonly #watch = new VaultWatch("LI.FI", () => this.#poll())

  constructor(context: VaultContext) {
    this.#world = context
    this.#record = new VaultRecord(join(context.home, "lifi.json"), End)
  }

  get mode(): VaultMode {
    return this.#record.mode
  }

  /** Returns the Bitcoin data that LI.FI's API needs. */
  get bitcoinData(): BitcoinData {
    const fetchEsplora = async (path: string): Promise<unknown> =>
      (await fetch(`${await this.#world.bitcoin.ownUrl()}${path}`)).json()
    return {
      coinsOf: async (address) => {
        const utxos = (await fetchEsplora(`/address/${address}/utxo`)) as ReadonlyArray<{
          readonly txid: string
          readonly vout: number
          readonly value: number
          readonly status: { readonly confirmed: boolean }
        }>
        return utxos
          .filter(({ status }) => status.confirmed)
          .map(({ txid, value, vout }) => ({ txid, vout, value: BigInt(value) }))
      },
      feeRate: async () => ((await fetchEsplora("/fee-estimates")) as Readonly<Record<string, number>>)["2"] ?? 1,
      isHalted: () => this.mode.mode === "HALT"
    }
  }

  setMode(mode: VaultMode): Promise<void> {
    return this.#record.setMode(mode)
  }

  /** Polls for another hour, because a client with a quote may deposit. */
  attend(): void {
    this.#watch.keepPolling()
  }

  /** Finds a Bitcoin payment by its transaction id in hexadecimal. Undefined if there is none. */
  async paymentBy(txid: string): Promise<DetectedDeposit | undefined> {
    this.attend()
    await this.#watch.poll()
    const payment = this.#payments.get(txid.toLowerCase())
    if (payment === undefined) return undefined
    return { isInBlock: payment.blockSeconds !== null, amount: payment.satoshis, end: this.#record.endOf(payment.txid) }
  }

  /**
   * Finds a deposit on an EVM chain by its transaction. `sender` distinguishes the deposits of several wallets in one
   * transaction.
   */
  async depositBy(chainId: EvmChainId, hash: string, sender: string | null): Promise<DetectedDeposit | undefined> {
    this.attend()
    await this.#watch.poll()
    const chainflipDeposit = (this.#deposits.get(chainId)?.all ?? []).find(
      (deposit) =>
        deposit.transactionHash === hash.toLowerCase() && (sender === null || deposit.sender === sender.toLowerCase())
    )
    return chainflipDeposit === undefined
      ? undefined
      : { isInBlock: true, amount: chainflipDeposit.amount, end: this.#record.endOf(chainflipDeposit.key) }
  }

  /** Reads the EVM chains from the start again after a reorg. */
  readAgain(): void {
    for (const deposits of this.#deposits.values()) deposits.clear()
  }

  clear(): Promise<void> {
    this.readAgain()
    this.#payments.clear()
    return this.#record.clear()
  }

  close(): Promise<void> {
    return this.#watch.close()
  }

  async #poll(): Promise<void> {
    const url = await this.#world.bitcoin.ownUrl()
    for (const payment of await this.#payments.read(url, (txid) => this.#record.endOf(txid) !== undefined)) {
      if (payment.blockSeconds === null) continue
      const end = await this.#endPayment(payment, payment.blockSeconds, url)
      if (end !== null) await this.#record.add(end)
    }
    for (const [chainId, deposits] of this.#deposits) {
      await deposits.read(this.#world.chain(chainId))
      for (const deposit of deposits.all) {
        const end = this.#record.endOf(deposit.key) === undefined ? await this.#endDeposit(deposit) : null
        if (end !== null) await this.#record.add(end)
      }
    }
  }

  /**
   * Ends a swap whose BTC the vault has received: pays out the tokens, or refunds the BTC. Returns null while the swap
   * is pending.
   */
  async #endPayment(payment: VaultDeposit, blockSeconds: number, url: string): Promise<End | null> {
    const { mode } = this
    if (mode.mode === "HALT") return null
    const order = decodeOrder(payment.data)
    const rate = order === null ? undefined : rateOf(order.chainId, order.token)
    const amount = rate === undefined ? 0n : tokensFor(payment.satoshis, rate)
    if (mode.mode === "REFUND" || order === null || amount <= 0n || amount < order.minAmount) {
      const hash = await publish(url, lifiVault.refund(payment, null))
      return { deposit: payment.txid, chainId: 0, hash, amount: String(payment.satoshis), isRefund: true }
    }
    const { chainId, receiver: to, token } = order
    const endedSwap = { deposit: payment.txid, chainId, amount: String(amount), isRefund: false }
    if (mode.mode === "LIE") return { ...endedSwap, hash: `0x${unknownHash(payment.txid)}` }
    if (!isDue(mode, blockSeconds, this.#world.clock.nowSeconds())) return null
    return { ...endedSwap, hash: await payToken(this.#world, { chainId, token, to, amount, memo: "" }) }
  }

  /** Ends a swap to BTC: pays out the BTC, or refunds the deposit. Returns null while the swap is pending. */
  async #endDeposit(deposit: ChainflipDeposit): Promise<End | null> {
    const { mode } = this
    const { chainId, key, receiver, sender: to, token } = deposit
    if (mode.mode === "HALT") return null
    const rate = rateOf(chainId, token)
    const satoshis = rate === undefined ? 0n : satoshisFor(deposit.amount, rate)
    if (mode.mode === "REFUND" || satoshis < deposit.minSatoshis) {
      const hash = await payToken(this.#world, { chainId, token, to, amount: deposit.amount, memo: "" })
      return { deposit: key, chainId, hash, amount: String(deposit.amount), isRefund: true }
    }
    const endedSwap = { deposit: key, chainId: 0, amount: String(satoshis), isRefund: false }
    if (mode.mode === "LIE") return { ...endedSwap, hash: unknownHash(key) }
    if (!isDue(mode, deposit.blockSeconds, this.#world.clock.nowSeconds())) return null
    const { txid } = await this.#world.bitcoin.control({ address: receiver, satoshis: Number(satoshis) })
    return { ...endedSwap, hash: txid! }
  }
}
