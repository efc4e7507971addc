import { createHash } from "node:crypto"
import { BitcoinAddress } from "@countersign/core/foundation/primitives"
import { Transaction } from "bitcoinjs-lib"
import { bytesOf, hexOf } from "../../src/chains/bitcoin/bytes.ts"
import { addressToScript } from "../../src/chains/bitcoin/readAddress.ts"

export interface EmulatedTransaction {
  readonly transaction: Transaction
  /** Null while the transaction is unconfirmed. */
  readonly height: number | null
}

/** Returns the time of the block at a height, in Unix seconds. */
export const blockTimeAt = (height: number): number => 1_231_006_505 + height * 600

const MAIN_GENESIS = "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f"

export const blockHashAt = (height: number): string =>
  height === 0 ? MAIN_GENESIS : createHash("sha256").update(`block ${height}`).digest("hex")

export const parentTxidOf = ({ hash }: { readonly hash: Uint8Array }): string =>
  Buffer.from(hash).reverse().toString("hex")

const hexText = (bytes: Uint8Array) => hexOf(bytes).slice(2)

/**
 * A Bitcoin chain that does not verify transactions. The data that an Esplora server returns about them are computed
 * from their bytes.
 */
export class EmulatedChain {
  readonly #entries = new Map<string, EmulatedTransaction>()
  /** Maximum number of UTXOs of an address. With more, the Esplora server rejects a request for its UTXOs. */
  maxUtxos = 500
  /** The minimum relay fee rate, and the minimum increment of the fee rate of a replacement, in sat/vB. */
  relayRate = 1

  add(transaction: Transaction, height: number | null): string {
    this.#entries.set(transaction.getId(), { transaction, height })
    return transaction.getId()
  }

  entry(txid: string): EmulatedTransaction | undefined {
    return this.#entries.get(txid)
  }

  /** Adds an unconfirmed transaction to a block. */
  mine(txid: string, height: number): void {
    this.#entries.set(txid, { transaction: this.entry(txid)!.transaction, height })
  }

  at(height: number): ReadonlyArray<EmulatedTransaction> {
    return [...this.#entries.values()].filter((entry) => entry.height === height)
  }

  spender(txid: string, vout: number): EmulatedTransaction | undefined {
    return [...this.#entries.values()].find(({ transaction }) =>
      transaction.ins.some((input) => parentTxidOf(input) === txid && input.index === vout)
    )
  }

  /**
   * Returns the history of an address: unconfirmed transactions first, then confirmed ones from the latest block
   * backwards.
   */
  history(address: string): ReadonlyArray<EmulatedTransaction> {
    const script = this.#script(address)
    const paysTo = (transaction: Transaction | undefined, vout?: number) =>
      transaction?.outs.some((output, index) => (vout ?? index) === index && hexText(output.script) === script)
    const sortHeightOf = (entry: EmulatedTransaction) => entry.height ?? Number.MAX_SAFE_INTEGER
    return [...this.#entries.values()]
      .filter(
        ({ transaction }) =>
          paysTo(transaction) ||
          transaction.ins.some((input) => paysTo(this.entry(parentTxidOf(input))?.transaction, input.index))
      )
      .reverse()
      .sort((a, b) => sortHeightOf(b) - sortHeightOf(a))
  }

  utxos(address: string): ReadonlyArray<object> {
    const script = this.#script(address)
    return this.history(address).flatMap(({ height, transaction }) =>
      transaction.outs.flatMap((output, vout) =>
        hexText(output.script) === script && this.spender(transaction.getId(), vout) === undefined
          ? [{ txid: transaction.getId(), vout, value: Number(output.value), status: this.status(height) }]
          : []
      )
    )
  }

  status(height: number | null): object {
    return height === null
      ? { confirmed: false }
      : { confirmed: true, block_height: height, block_hash: blockHashAt(height), block_time: blockTimeAt(height) }
  }

  fee(transaction: Transaction): number {
    if (transaction.isCoinbase()) return 0
    const spentValues = transaction.ins.map(
      (input) => this.entry(parentTxidOf(input))!.transaction.outs[input.index]!.value
    )
    const sum = (values: ReadonlyArray<bigint>) => values.reduce((total, value) => total + value, 0n)
    return Number(sum(spentValues) - sum(transaction.outs.map(({ value }) => value)))
  }

  render({ height, transaction }: EmulatedTransaction): object {
    const renderOutput = ({ script, value }: Transaction["outs"][number]) => ({
      scriptpubkey: hexText(script),
      value: Number(value)
    })
    const isCoinbase = transaction.isCoinbase()
    return {
      txid: transaction.getId(),
      vin: transaction.ins.map((input) => ({
        txid: parentTxidOf(input),
        vout: input.index,
        prevout: isCoinbase ? null : renderOutput(this.entry(parentTxidOf(input))!.transaction.outs[input.index]!),
        is_coinbase: isCoinbase,
        sequence: input.sequence
      })),
      vout: transaction.outs.map(renderOutput),
      locktime: transaction.locktime,
      weight: transaction.weight(),
      fee: this.fee(transaction),
      status: this.status(height)
    }
  }

  /** Accepts a transaction and returns its id, or returns the error that Bitcoin Core would return. */
  take(hex: string): string | { readonly code: number; readonly message: string } {
    let transaction: Transaction
    try {
      transaction = Transaction.fromBuffer(bytesOf(`0x${hex}` as never))
    } catch {
      return { code: -22, message: "TX decode failed. Make sure the tx has at least one input." }
    }
    const entry = this.entry(transaction.getId())
    if (entry !== undefined) {
      return entry.height === null ? transaction.getId() : { code: -27, message: "Transaction already in block chain" }
    }
    const replacedTransactions = new Set<Transaction>()
    for (const input of transaction.ins) {
      const spender = this.spender(parentTxidOf(input), input.index)
      if (spender?.height === null && this.#canReplace(transaction, spender.transaction)) {
        replacedTransactions.add(spender.transaction)
        continue
      }
      if (spender?.height === null) return { code: -26, message: "txn-mempool-conflict" }
      if (spender !== undefined || this.entry(parentTxidOf(input)) === undefined) {
        return { code: -25, message: "bad-txns-inputs-missingorspent" }
      }
    }
    const minFee = Math.ceil(transaction.virtualSize() * this.relayRate)
    if (this.fee(transaction) < minFee) {
      return { code: -26, message: `min relay fee not met, ${this.fee(transaction)} < ${minFee}` }
    }
    for (const replacedTransaction of replacedTransactions) this.#entries.delete(replacedTransaction.getId())
    return this.add(transaction, null)
  }

  /** Returns whether the fee of a replacement suffices under BIP-125. */
  #canReplace(transaction: Transaction, originalTransaction: Transaction): boolean {
    return (
      this.fee(transaction) >= this.fee(originalTransaction) + Math.ceil(transaction.virtualSize() * this.relayRate)
    )
  }

  #script(address: string): string {
    return addressToScript(BitcoinAddress.make(address)).slice(2)
  }
}
