import type { Transaction } from "bitcoinjs-lib"

export interface IndexedBlock {
  readonly hash: string
  readonly height: number
  readonly time: number
  readonly txids: ReadonlyArray<string>
}

export interface IndexedTransaction {
  readonly transaction: Transaction
  /** Null while the transaction is unconfirmed. */
  readonly block: IndexedBlock | null
  /** Index within the block, or order of arrival in the mempool. */
  readonly position: number
}

export interface IndexedOutput {
  readonly script: Uint8Array
  readonly value: bigint
}

export const parentTxidOf = ({ hash }: { readonly hash: Uint8Array }): string =>
  Buffer.from(hash).reverse().toString("hex")

export const hexText = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")

const getOrCreateSet = <K, V>(map: Map<K, Set<V>>, key: K): Set<V> => {
  const existingSet = map.get(key)
  if (existingSet !== undefined) return existingSet
  const createdSet = new Set<V>()
  map.set(key, createdSet)
  return createdSet
}

/** Indexes transactions by id, by the scripts that they pay and spend, and by the outputs that they spend. */
export class ChainIndex {
  readonly #transactions = new Map<string, IndexedTransaction>()
  readonly #byScript = new Map<string, Set<string>>()
  readonly #spenders = new Map<string, Set<string>>()
  readonly #blocks: Array<IndexedBlock> = []
  #arrivals = 0

  get tip(): IndexedBlock {
    return this.#blocks.at(-1)!
  }

  block(height: number): IndexedBlock | undefined {
    return this.#blocks[height]
  }

  blockOf(hash: string): IndexedBlock | undefined {
    return this.#blocks.find((block) => block.hash === hash)
  }

  connect(block: Omit<IndexedBlock, "txids">, transactions: ReadonlyArray<Transaction>): void {
    const blockWithTxids = { ...block, txids: transactions.map((transaction) => transaction.getId()) }
    this.#blocks[block.height] = blockWithTxids
    for (const [position, transaction] of transactions.entries())
      this.#put({ transaction, block: blockWithTxids, position })
  }

  /** Removes the latest block. Returns its transactions without the coinbase. */
  disconnect(): ReadonlyArray<Transaction> {
    const { txids } = this.#blocks.pop()!
    const transactions = txids.map((txid) => this.#transactions.get(txid)!.transaction)
    for (const txid of txids.toReversed()) this.remove(txid)
    return transactions.slice(1)
  }

  addWaiting(transaction: Transaction): void {
    this.#put({ transaction, block: null, position: this.#arrivals++ })
  }

  remove(txid: string): void {
    const entry = this.#transactions.get(txid)
    if (entry === undefined) return
    for (const script of this.#scripts(entry.transaction)) this.#byScript.get(script)?.delete(txid)
    for (const input of entry.transaction.ins) this.#spenders.get(`${parentTxidOf(input)}:${input.index}`)?.delete(txid)
    this.#transactions.delete(txid)
  }

  get(txid: string): IndexedTransaction | undefined {
    return this.#transactions.get(txid)
  }

  get unconfirmedTransactions(): ReadonlyArray<IndexedTransaction> {
    return [...this.#transactions.values()].filter(({ block }) => block === null)
  }

  output(txid: string, vout: number): IndexedOutput | undefined {
    return this.#transactions.get(txid)?.transaction.outs[vout]
  }

  spender(txid: string, vout: number): IndexedTransaction | undefined {
    const [spenderTxid] = this.#spenders.get(`${txid}:${vout}`) ?? []
    return spenderTxid === undefined ? undefined : this.get(spenderTxid)
  }

  fee(transaction: Transaction): bigint {
    if (transaction.isCoinbase()) return 0n
    const sum = (outputs: ReadonlyArray<IndexedOutput>) => outputs.reduce((total, { value }) => total + value, 0n)
    return sum(transaction.ins.map((input) => this.output(parentTxidOf(input), input.index)!)) - sum(transaction.outs)
  }

  /** Returns these mempool transactions and all of their descendants in the mempool. */
  withDescendants(txids: ReadonlyArray<string>): ReadonlyArray<IndexedTransaction> {
    const entries = new Map<string, IndexedTransaction>()
    const visit = (txid: string): void => {
      const entry = this.get(txid)
      if (entry === undefined || entries.has(txid)) return
      entries.set(txid, entry)
      for (const vout of entry.transaction.outs.keys()) {
        for (const spender of this.#spenders.get(`${txid}:${vout}`) ?? []) visit(spender)
      }
    }
    txids.forEach(visit)
    return [...entries.values()]
  }

  /** Returns the transactions of a script: unconfirmed ones first, then newest block first. */
  history(script: string): ReadonlyArray<IndexedTransaction> {
    const height = ({ block }: IndexedTransaction) => block?.height ?? Number.MAX_SAFE_INTEGER
    return [...(this.#byScript.get(script) ?? [])]
      .map((txid) => this.get(txid)!)
      .sort((a, b) => height(b) - height(a) || b.position - a.position)
  }

  #put(entry: IndexedTransaction): void {
    const txid = entry.transaction.getId()
    this.#transactions.set(txid, entry)
    for (const script of this.#scripts(entry.transaction)) getOrCreateSet(this.#byScript, script).add(txid)
    if (entry.transaction.isCoinbase()) return
    for (const input of entry.transaction.ins)
      getOrCreateSet(this.#spenders, `${parentTxidOf(input)}:${input.index}`).add(txid)
  }

  #scripts(transaction: Transaction): ReadonlySet<string> {
    const spentOutputs = transaction.isCoinbase()
      ? []
      : transaction.ins.flatMap((input) => this.output(parentTxidOf(input), input.index) ?? [])
    return new Set([...transaction.outs, ...spentOutputs].map(({ script }) => hexText(script)))
  }
}
