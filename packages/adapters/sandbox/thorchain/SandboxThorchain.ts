import { createHash } from "node:crypto"
import { join } from "node:path"
import { Address } from "@countersign/core/foundation/primitives"
import { outboundMemo, refundMemo } from "../../src/exchanges/thorchain/index.ts"
import { payToken, publish, type VaultContext } from "../vaults/payments.ts"
import { type VaultDeposit, VaultDeposits } from "../vaults/VaultDeposits.ts"
import { isDue, type VaultMode } from "../vaults/VaultMode.ts"
import { VaultRecord } from "../vaults/VaultRecord.ts"
import { VaultWatch } from "../vaults/VaultWatch.ts"
import { vaultOf } from "../vaults/vault.ts"
import { Outbound } from "./Outbound.ts"
import { findPool, outputOf } from "./pools.ts"
import { readMemo } from "./readMemo.ts"

const E8_DECIMALS = 8

const baseUnits = (e8: bigint, decimals: number): bigint =>
  decimals >= E8_DECIMALS ? e8 * 10n ** BigInt(decimals - E8_DECIMALS) : e8 / 10n ** BigInt(E8_DECIMALS - decimals)

const vault = vaultOf("thorchain")
export const { address: vaultAddress } = vault

export const memoOf = ({ data }: VaultDeposit): string => Buffer.from(data).toString("utf8")

/**
 * Simulates THORChain. Detects payments to its vault on the sandbox's Bitcoin chain. Pays them out on the other chains,
 * refunds them, or ignores them, as its settings define. It polls until one hour after the last request.
 */
export class SandboxThorchain {
  readonly #world: VaultContext
  readonly #record: VaultRecord<Outbound>
  readonly #deposits = new VaultDeposits(vaultAddress)
  readonly #watch = new VaultWatch("THORChain", () => this.#poll())

  constructor(context: VaultContext) {
    this.#world = context
    this.#record = new VaultRecord(join(context.home, "thorchain.json"), Outbound)
  }

  get mode(): VaultMode {
    return this.#record.mode
  }

  get nowSeconds(): number {
    return this.#world.clock.nowSeconds()
  }

  setMode(mode: VaultMode): Promise<void> {
    return this.#record.setMode(mode)
  }

  /**
   * Returns a deposit by transaction id in hexadecimal, with its current state on Bitcoin. Undefined if there is none.
   */
  async depositOf(
    txid: string
  ): Promise<{ readonly deposit: VaultDeposit; readonly outbound: Outbound | undefined } | undefined> {
    this.attend()
    await this.#watch.poll()
    const deposit = this.#deposits.get(txid.toLowerCase())
    return deposit === undefined ? undefined : { deposit, outbound: this.#record.endOf(deposit.txid) }
  }

  /** Polls for another hour, because a client with a quote may deposit. */
  attend(): void {
    this.#watch.keepPolling()
  }

  clear(): Promise<void> {
    this.#deposits.clear()
    return this.#record.clear()
  }

  close(): Promise<void> {
    return this.#watch.close()
  }

  async #poll(): Promise<void> {
    const url = await this.#world.bitcoin.ownUrl()
    const hasEnded = (txid: string) => this.#record.endOf(txid) !== undefined
    for (const deposit of await this.#deposits.read(url, hasEnded)) {
      if (deposit.blockSeconds === null) continue
      const outbound = await this.#end(deposit, deposit.blockSeconds, url)
      if (outbound !== null) await this.#record.add(outbound)
    }
  }

  /** Ends a swap: pays out the output, or refunds the BTC. Returns null while the swap is pending. */
  async #end(deposit: VaultDeposit, blockSeconds: number, url: string): Promise<Outbound | null> {
    const { mode } = this.#record
    const order = readMemo(memoOf(deposit))
    const pool = order === null ? undefined : findPool(order.asset)
    if (mode.mode === "HALT") return null
    if (mode.mode === "REFUND" || order === null || pool === undefined) return this.#refund(deposit, url)
    const { net } = outputOf(pool, deposit.satoshis, order.isStreamed)
    if (net < order.limit || net <= 0n) return this.#refund(deposit, url)
    const { chainId, decimals, token } = pool
    const endedSwap = {
      deposit: deposit.txid,
      chain: pool.asset.split(".")[0]!,
      to: order.to,
      asset: pool.asset,
      isRefund: false,
      amount: String(net)
    }
    if (mode.mode === "LIE") return { ...endedSwap, id: createHash("sha256").update(deposit.txid).digest("hex") }
    if (!isDue(mode, blockSeconds, this.nowSeconds)) return null
    const hash = await payToken(this.#world, {
      chainId,
      token,
      to: Address.make(order.to),
      amount: baseUnits(net, decimals),
      memo: outboundMemo(`0x${deposit.txid}`)
    })
    return { ...endedSwap, id: hash.slice(2) }
  }

  async #refund(deposit: VaultDeposit, url: string): Promise<Outbound> {
    const { from, satoshis, txid } = deposit
    const memo = Uint8Array.from(Buffer.from(refundMemo(`0x${txid}`), "utf8"))
    const id = await publish(url, vault.refund(deposit, memo))
    return { deposit: txid, chain: "BTC", id, to: from, asset: "BTC.BTC", amount: String(satoshis), isRefund: true }
  }
}
