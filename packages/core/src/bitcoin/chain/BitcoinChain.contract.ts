import { assert, layer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { BitcoinAddress, Hash32, HexBytes } from "../../foundation/primitives/index.ts"
import { type BitcoinBalance, BitcoinChain, type BitcoinTransaction, type Utxo } from "./BitcoinChain.ts"

export interface BitcoinChainFixture {
  readonly height: number
  /** Addresses with their balances: one address of each type, and one with unconfirmed spends. */
  readonly balances: ReadonlyMap<BitcoinAddress, BitcoinBalance>
  /**
   * The history of an address, which spans several pages. It includes an unconfirmed transaction and a coinbase
   * transaction.
   */
  readonly history: {
    readonly address: BitcoinAddress
    readonly transactions: ReadonlyArray<BitcoinTransaction>
    readonly utxos: ReadonlyArray<Utxo>
  }
  /** Signed transactions. */
  readonly broadcast: {
    readonly validPayment: { readonly txid: Hash32; readonly bytes: HexBytes }
    readonly minedBytes: HexBytes
    /** A transaction that conflicts with an unconfirmed transaction of the history. */
    readonly conflictingBytes: HexBytes
    readonly tooCheap: HexBytes
  }
}

const sortByOutpoint = (utxos: ReadonlyArray<Utxo>) =>
  [...utxos].sort((a, b) => `${a.txid}:${a.vout}`.localeCompare(`${b.txid}:${b.vout}`))

const UNKNOWN = Hash32.make(`0x${"ab".repeat(32)}`)

/** An address without transactions. */
const UNUSED = BitcoinAddress.make("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4")

/** Contract tests that every `BitcoinChain` must pass, with given on-chain data. */
export const bitcoinChainContract = <E>(
  name: string,
  chain: Layer.Layer<BitcoinChain, E>,
  { balances, broadcast, height, history }: BitcoinChainFixture
): void => {
  layer(chain)(`BitcoinChain of ${name}`, (it) => {
    it.effect("returns the height of the latest block", () =>
      Effect.gen(function* () {
        const { agreedHeight, tipHeight } = yield* BitcoinChain
        assert.deepStrictEqual([yield* tipHeight, yield* agreedHeight], [height, height])
      })
    )

    it.effect("returns the confirmed balance of an address, and its unconfirmed change", () =>
      Effect.gen(function* () {
        const { balanceOf: balance } = yield* BitcoinChain
        assert.isTrue([...balances.values()].some(({ unconfirmed }) => unconfirmed < 0n))
        for (const [address, expected] of balances) assert.deepStrictEqual(yield* balance(address), expected)
      })
    )

    it.effect("returns zero for an address without transactions", () =>
      Effect.gen(function* () {
        const { balanceOf: balance } = yield* BitcoinChain
        assert.deepStrictEqual(yield* balance(UNUSED), { confirmed: 0n, unconfirmed: 0n })
      })
    )

    it.effect("returns the latest block, and the hash at each height up to it", () =>
      Effect.gen(function* () {
        const { blockHash, tip } = yield* BitcoinChain
        const tipBlock = yield* tip
        assert.strictEqual(tipBlock.height, height)
        assert.strictEqual(yield* blockHash(height), tipBlock.hash)
        assert.notStrictEqual(yield* blockHash(height - 1), tipBlock.hash)
        assert.isNull(yield* blockHash(height + 1))
      })
    )

    it.effect("returns the complete history of an address in pages, unconfirmed transactions first", () =>
      Effect.gen(function* () {
        const { transactionsOf } = yield* BitcoinChain
        const transactions: Array<BitcoinTransaction> = []
        let pages = 0
        for (let page = yield* transactionsOf(history.address, null); page.length > 0; pages += 1) {
          transactions.push(...page)
          page = yield* transactionsOf(history.address, page.at(-1)!.txid)
        }
        assert.isAbove(pages, 1)
        assert.isNull(transactions[0]!.block)
        assert.deepStrictEqual(transactions, history.transactions)
      })
    )

    it.effect("returns confirmed, unconfirmed and coinbase UTXOs of an address", () =>
      Effect.gen(function* () {
        const utxos = yield* (yield* BitcoinChain).utxosOf(history.address)
        assert.deepStrictEqual(sortByOutpoint(utxos), sortByOutpoint(history.utxos))
        assert.isTrue(utxos.some(({ isCoinbase }) => isCoinbase))
        assert.isTrue(utxos.some(({ block }) => block === null))
      })
    )

    it.effect("returns a transaction, its bytes, and the spenders of its outputs", () =>
      Effect.gen(function* () {
        const {
          spenderOf: spender,
          findTransaction: transaction,
          findTransactionBytes: transactionBytes
        } = yield* BitcoinChain
        const [unconfirmedTransaction] = history.transactions
        assert.deepStrictEqual(yield* transaction(unconfirmedTransaction!.txid), unconfirmedTransaction!)
        assert.strictEqual(yield* spender(unconfirmedTransaction!.inputs[0]!), unconfirmedTransaction!.txid)
        assert.isNull(yield* spender(history.utxos[0]!))
        assert.match((yield* transactionBytes(unconfirmedTransaction!.txid)) ?? "", /^0x0[12]000000/u)
        assert.isNull(yield* transaction(UNKNOWN))
        assert.isNull(yield* transactionBytes(UNKNOWN))
        assert.isNull(yield* spender({ txid: UNKNOWN, vout: 0 }))
      })
    )

    it.effect(
      "returns all transactions of a block, the coinbase transaction first, and the hash of the previous block",
      () =>
        Effect.gen(function* () {
          const { block, blockHash } = yield* BitcoinChain
          const minedTransaction = history.transactions.find(({ block, isCoinbase }) => block !== null && !isCoinbase)!
          const { minedAtMs, previous, transactions: blockTransactions } = yield* block(minedTransaction.block!.hash)
          assert.strictEqual(previous, yield* blockHash(minedTransaction.block!.height - 1))
          assert.strictEqual(minedAtMs, minedTransaction.block!.minedAtMs)
          assert.deepStrictEqual(
            blockTransactions.map(({ isCoinbase }) => isCoinbase),
            blockTransactions.map((_, index) => index === 0)
          )
          assert.deepStrictEqual(
            blockTransactions.find(({ txid }) => txid === minedTransaction.txid),
            minedTransaction
          )
          assert.strictEqual((yield* Effect.flip(block(UNKNOWN)))._tag, "UPSTREAM_UNAVAILABLE")
        })
    )

    it.effect("returns fee rates above zero, sorted by number of blocks", () =>
      Effect.gen(function* () {
        const rates = yield* (yield* BitcoinChain).feeRates
        const blocks = [...rates.keys()]
        assert.isNotEmpty(blocks)
        assert.deepStrictEqual(
          blocks,
          [...blocks].sort((a, b) => a - b)
        )
        assert.isTrue([...rates.values()].every((rate) => rate > 0n))
      })
    )

    it.effect("returns the minimum relay fee rates", () =>
      Effect.gen(function* () {
        const { incremental, minRate } = yield* (yield* BitcoinChain).relayRates
        assert.isTrue(minRate >= 100n && minRate <= 1_000n && incremental >= 100n && incremental <= 1_000n)
      })
    )

    it.effect("reports why a node rejects a transaction", () =>
      Effect.gen(function* () {
        const chain = yield* BitcoinChain
        const rejectionKindOf = (bytes: HexBytes) =>
          Effect.map(Effect.flip(chain.broadcast(bytes)), (failure) =>
            failure._tag === "BROADCAST_REFUSED" ? failure.kind : failure.message
          )
        assert.strictEqual(yield* rejectionKindOf(broadcast.minedBytes), "KNOWN")
        assert.strictEqual(yield* rejectionKindOf(broadcast.conflictingBytes), "TAKEN")
        assert.strictEqual(yield* rejectionKindOf(broadcast.tooCheap), "POLICY")
        assert.strictEqual(yield* rejectionKindOf(HexBytes.make("0x00")), "INVALID")
      })
    )

    it.effect("accepts a transaction, and accepts it again while it is unconfirmed", () =>
      Effect.gen(function* () {
        const chain = yield* BitcoinChain
        const { bytes, txid } = broadcast.validPayment
        assert.isNull(yield* chain.findTransaction(txid))
        yield* chain.broadcast(bytes)
        yield* chain.broadcast(bytes)
        const waitingTransaction = yield* chain.findTransaction(txid)
        assert.isNull(waitingTransaction!.block)
        assert.strictEqual(yield* chain.findTransactionBytes(txid), bytes)
      })
    )
  })
}
