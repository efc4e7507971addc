import * as secp256k1 from "@bitcoinerlab/secp256k1"
import { initEccLib, Transaction } from "bitcoinjs-lib"
import { SandboxError } from "../../SandboxError.ts"
import { type Bcoin, type FullNode, loadBcoin, type NodeEntry, type NodeTransaction } from "./bcoin.ts"
import { blockFile } from "./blockFile.ts"
import { ChainIndex, type IndexedOutput, type IndexedTransaction } from "./ChainIndex.ts"
import { minerScript, paymentBy } from "./faucet.ts"
import { mempoolFile } from "./mempoolFile.ts"
import { replacementBy } from "./replacement.ts"
import { enforceTaproot } from "./taproot.ts"

initEccLib(secp256k1)

/** Number of blocks of a new chain. SegWit is active on regtest from height 432 on. */
const FIRST_BLOCKS = 440
/** Maximum number of blocks per request. Each block takes a few milliseconds. */
const MAX_BLOCKS = 1_000
const MAX_REORG_DEPTH = 100

/** A rejected transaction, with the error of Bitcoin Core. */
export class NodeRefusal extends Error {
  readonly code: -22 | -25 | -26 | -27

  constructor(code: NodeRefusal["code"], message: string) {
    super(message)
    this.code = code
  }
}

const readTransaction = (transaction: NodeTransaction): Transaction =>
  Transaction.fromBuffer(Uint8Array.from(transaction.toRaw()))

/** A regtest chain with taproot and replace-by-fee. */
export class RegtestNode {
  readonly index = new ChainIndex()
  readonly #bcoin: Bcoin
  readonly #node: FullNode
  readonly #blocks: ReturnType<typeof blockFile>
  readonly #waitingFile: ReturnType<typeof mempoolFile>
  /** Transactions of disconnected blocks, which bcoin does not add to its mempool again. */
  readonly #returning: Array<Transaction> = []
  #isReplaying = true
  #last: Promise<unknown> = Promise.resolve()

  private constructor(bcoin: Bcoin, node: FullNode, folder: string) {
    this.#bcoin = bcoin
    this.#node = node
    this.#blocks = blockFile(folder)
    this.#waitingFile = mempoolFile(folder)
  }

  /** Opens the chain in a folder. Creates it if it does not exist; its blocks then pay `firstPayments`. */
  static async open(folder: string, firstPayments: ReadonlyArray<IndexedOutput>): Promise<RegtestNode> {
    const { bcoin, ScriptError } = loadBcoin()
    enforceTaproot(bcoin, ScriptError)
    const node = new bcoin.FullNode({ network: "regtest", memory: true, listen: false, workers: false })
    const noServer = { open: () => Promise.resolve(), close: () => Promise.resolve() }
    node.http = noServer
    const openedNode = new RegtestNode(bcoin, node, folder)
    await openedNode.#start(firstPayments)
    return openedNode
  }

  set clockOffsetSeconds(seconds: number) {
    this.#node.network.time.offset = seconds
  }

  mine(count: number, rewardScript: Uint8Array = minerScript): Promise<void> {
    return this.#inTurn(() => this.#mine(count, rewardScript))
  }

  async #mine(count: number, rewardScript: Uint8Array): Promise<void> {
    if (!Number.isSafeInteger(count) || count < 1 || count > MAX_BLOCKS) {
      throw new SandboxError({ message: `A request can mine 1 to ${MAX_BLOCKS} blocks.` })
    }
    for (let minedCount = 0; minedCount < count; minedCount += 1) await this.#mineOn(null, rewardScript)
    this.#readWaiting()
  }

  /**
   * Returns the unconfirmed transactions below a fee rate in sat/vB, except those that another unconfirmed transaction
   * spends (CPFP).
   */
  belowFeeRate(rate: number): ReadonlyArray<IndexedTransaction> {
    return this.index.unconfirmedTransactions.filter(
      ({ transaction }) =>
        Number(this.index.fee(transaction)) < rate * transaction.virtualSize() &&
        this.index.withDescendants([transaction.getId()]).length === 1
    )
  }

  /** Mines a block without the transactions below a fee rate, which remain unconfirmed. */
  mineAboveFeeRate(rate: number): Promise<void> {
    return this.#inTurn(() => this.#mineAboveFeeRate(rate))
  }

  async #mineAboveFeeRate(rate: number): Promise<void> {
    const evictedTransactions = this.belowFeeRate(rate).map(({ transaction }) => transaction)
    this.#evict(evictedTransactions)
    try {
      await this.#mineOn(null)
    } finally {
      // This fails if the block contains a conflicting transaction. The failure is ignored.
      for (const transaction of evictedTransactions) await this.#add(transaction.toHex()).catch(() => {})
      this.#readWaiting()
    }
  }

  /**
   * Replaces the latest `depth` blocks by `depth` + 1 empty blocks. The transactions of the old blocks return to the
   * mempool.
   */
  reorgBlocks(depth: number): Promise<void> {
    return this.#inTurn(() => this.#reorg(depth))
  }

  async #reorg(depth: number): Promise<void> {
    const { chain } = this.#node
    const maxBlocks = Math.min(MAX_REORG_DEPTH, chain.height - FIRST_BLOCKS)
    if (!Number.isSafeInteger(depth) || depth < 1 || depth > maxBlocks) {
      throw new SandboxError({ message: `A reorg can replace 1 to ${maxBlocks} blocks.` })
    }
    // Unconfirmed transactions may spend outputs that do not exist on the new blocks.
    const waitingTransactions = this.index.unconfirmedTransactions.map(({ transaction }) => transaction)
    this.#evict(waitingTransactions)
    try {
      let parent = await chain.getEntry(chain.height - depth)
      for (let minedCount = 0; minedCount <= depth; minedCount += 1) parent = await this.#mineOn(parent)
    } finally {
      for (const transaction of [...this.#returning.splice(0), ...waitingTransactions]) {
        await this.#add(transaction.toHex()).catch(() => {})
      }
    }
    this.#readWaiting()
  }

  /** Submits a transaction as Bitcoin Core's `sendrawtransaction` does. Returns its id. */
  broadcast(hex: string): Promise<string> {
    return this.#inTurn(() => this.#broadcast(hex))
  }

  async #broadcast(hex: string): Promise<string> {
    const transaction = this.#parse(hex)
    const txid = transaction.getId()
    const indexedTransaction = this.index.get(txid)
    if (indexedTransaction?.block === null) return txid
    if (indexedTransaction !== undefined) throw new NodeRefusal(-27, "Transaction outputs already in utxo set")
    const replacement = replacementBy(this.index, transaction)
    if (replacement._tag === "Refused") throw new NodeRefusal(-26, replacement.message)
    const waitingBefore = this.index.unconfirmedTransactions.map((entry) => entry.transaction.toHex())
    try {
      if (replacement._tag === "Replaces") this.#evict(replacement.replaced.map((entry) => entry.transaction))
      await this.#add(hex)
    } catch (cause) {
      if (replacement._tag === "Replaces")
        for (const transactionHex of waitingBefore) await this.#add(transactionHex).catch(() => {})
      throw cause
    } finally {
      this.#readWaiting()
    }
    return txid
  }

  /** Pays these outputs from the miner's UTXOs. Returns the transaction id. */
  pay(outputs: ReadonlyArray<IndexedOutput>): Promise<string> {
    return this.#inTurn(() => this.#pay(outputs))
  }

  async #pay(outputs: ReadonlyArray<IndexedOutput>): Promise<string> {
    const hex = paymentBy(this.index, outputs)
    if (hex === null)
      throw new SandboxError({ message: "The sandbox's miner has insufficient funds. Mine more blocks first." })
    return this.#broadcast(hex)
  }

  close(): Promise<void> {
    return this.#inTurn(async () => {
      this.#waitingFile.write(this.index.unconfirmedTransactions.map(({ transaction }) => transaction.toHex()))
      await this.#node.close()
    })
  }

  async #start(firstPayments: ReadonlyArray<IndexedOutput>): Promise<void> {
    const { chain } = this.#node
    chain.on("connect", (entry, block) => {
      if (!this.#isReplaying) this.#blocks.append(block.toRaw())
      this.index.connect(
        { hash: entry.rhash(), height: entry.height, time: entry.time },
        block.txs.map(readTransaction)
      )
    })
    chain.on("disconnect", () => this.#returning.unshift(...this.index.disconnect()))
    await this.#node.open()
    const { Block } = this.#bcoin
    const genesis = chain.tip
    this.index.connect({ hash: genesis.rhash(), height: 0, time: genesis.time }, [])
    for (const block of this.#blocks.read()) await chain.add(Block.fromRaw(block))
    this.#isReplaying = false
    this.#returning.length = 0
    if (chain.height < FIRST_BLOCKS) await this.#mine(FIRST_BLOCKS - chain.height, minerScript)
    if (chain.height === FIRST_BLOCKS && firstPayments.length > 0) {
      await this.#pay(firstPayments)
      await this.#mine(1, minerScript)
    }
    for (const hex of this.#waitingFile.read()) await this.#add(hex).catch(() => {})
    this.#readWaiting()
  }

  /**
   * Runs changes of the chain or the mempool one after another. Otherwise a transaction that is broadcast during a
   * reorg could be included in several blocks.
   */
  #inTurn<A>(change: () => Promise<A>): Promise<A> {
    const nextChange = this.#last.then(change, change)
    this.#last = nextChange.catch(() => {})
    return nextChange
  }

  async #mineOn(parent: NodeEntry | null, rewardScript: Uint8Array = minerScript): Promise<NodeEntry> {
    const { Address, Script } = this.#bcoin
    const address = Address.fromScript(Script.fromRaw(Buffer.from(rewardScript)))
    const job = await this.#node.miner.cpu.createJob(parent, address)
    const entry = await this.#node.chain.add(await job.mineAsync())
    if (entry === null) throw new Error("the node rejected its own block")
    return entry
  }

  #parse(hex: string): Transaction {
    try {
      return Transaction.fromHex(hex)
    } catch {
      throw new NodeRefusal(-22, "TX decode failed. Make sure the tx has at least one input.")
    }
  }

  /** Adds a transaction to the mempool. Throws `NodeRefusal` if the mempool rejects it. */
  async #add(hex: string): Promise<void> {
    const { mempool } = this.#node
    const transaction = this.#bcoin.TX.fromRaw(Buffer.from(hex, "hex"))
    let missingInputs: ReadonlyArray<string> | null
    try {
      missingInputs = await mempool.addTX(transaction)
    } catch (cause) {
      const { message, reason } = cause as { readonly message: string; readonly reason?: string }
      const isSpent = reason === "bad-txns-inputs-spent"
      throw new NodeRefusal(
        isSpent ? -25 : -26,
        isSpent ? "bad-txns-inputs-missingorspent" : coreMessage(reason ?? message)
      )
    }
    if (missingInputs === null || missingInputs.length === 0) return
    mempool.removeOrphan(transaction.hash("hex"))
    throw new NodeRefusal(-25, "bad-txns-inputs-missingorspent")
  }

  #evict(transactions: ReadonlyArray<Transaction>): void {
    const { mempool } = this.#node
    for (const transaction of transactions) {
      const entry = mempool.map.get(Buffer.from(transaction.getHash()).toString("hex"))
      if (entry !== undefined) mempool.evictEntry(entry)
    }
  }

  /** Updates the unconfirmed transactions of the index from the node's mempool. */
  #readWaiting(): void {
    const { map } = this.#node.mempool
    const hashes = new Set(map.keys())
    for (const { transaction } of this.index.unconfirmedTransactions) {
      if (!hashes.has(Buffer.from(transaction.getHash()).toString("hex"))) this.index.remove(transaction.getId())
    }
    for (const { tx } of map.values()) {
      const transaction = readTransaction(tx)
      if (this.index.get(transaction.getId()) === undefined) this.index.addWaiting(transaction)
    }
  }
}

const coreMessage = (reason: string): string =>
  /^insufficient (?:fee|priority)$/u.test(reason) ? "min relay fee not met" : reason
