import type { BitcoinTransaction, Utxo } from "@countersign/core/bitcoin/chain"
import { BitcoinAddress, HexBytes } from "@countersign/core/foundation/primitives"
import { Transaction } from "bitcoinjs-lib"
import { bytesOf, hashOf } from "../../src/chains/bitcoin/bytes.ts"
import { addressToScript } from "../../src/chains/bitcoin/readAddress.ts"
import { blockHashAt, type EmulatedChain, minedAt } from "./EmulatedChain.ts"

const OWN = BitcoinAddress.make("bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g")
const OTHER = BitcoinAddress.make("1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2")
const [ownScript, otherScript] = [addressToScript(OWN), addressToScript(OTHER)]

const PAYMENTS = 60
/** Large enough that the transactions of a block fill more than one page. */
const PER_BLOCK = 30
const VALUE = 10_000n

interface Output {
  readonly script: HexBytes
  readonly value: bigint
}

const coinbase = (height: number, script: HexBytes): Transaction => {
  const transaction = new Transaction()
  transaction.addInput(new Uint8Array(32), 0xffff_ffff, undefined, Uint8Array.from(Buffer.from(`height ${height}`)))
  transaction.addOutput(bytesOf(script), 50_000_000n)
  return transaction
}

const spendTransaction = (from: Transaction, outputs: ReadonlyArray<Output>): Transaction => {
  const transaction = new Transaction()
  transaction.version = 2
  transaction.addInput(from.getHash(), 0, 0xffff_fffd)
  for (const { script, value } of outputs) transaction.addOutput(bytesOf(script), value)
  return transaction
}

const outputsOf = (transaction: Transaction): ReadonlyArray<Output> =>
  transaction.outs.map(({ script, value }) => ({
    script: HexBytes.make(`0x${Buffer.from(script).toString("hex")}`),
    value
  }))

const reportedTransaction = (
  transaction: Transaction,
  height: number | null,
  from: Transaction | null
): BitcoinTransaction => ({
  txid: hashOf(transaction.getId()),
  inputs: transaction.ins.map(({ index, sequence }) => ({
    txid: hashOf(from === null ? "00".repeat(32) : from.getId()),
    vout: index,
    sequence,
    ...(from === null ? { script: HexBytes.make("0x"), value: 0n } : outputsOf(from)[0]!)
  })),
  outputs: outputsOf(transaction),
  lockTime: transaction.locktime,
  fee: from === null ? 0n : from.outs[0]!.value - transaction.outs.reduce((sum, { value }) => sum + value, 0n),
  weight: transaction.weight(),
  isCoinbase: from === null,
  block: height === null ? null : { hash: hashOf(blockHashAt(height)), height, minedAtMs: minedAt(height) * 1_000 }
})

const bytes = (transaction: Transaction) => HexBytes.make(`0x${transaction.toHex()}`)

/** Adds payments of an address to chains. Returns the data that a reader of these chains must report. */
export const makeChainFixture = (chains: ReadonlyArray<EmulatedChain>, tip: number) => {
  const add = (transaction: Transaction, height: number | null) => {
    for (const chain of chains) chain.add(transaction, height)
    return transaction
  }
  const source = (height: number) => add(coinbase(height, otherScript), height)
  const payments = Array.from({ length: PAYMENTS }, (_, index) => {
    const height = tip - 10 + Math.floor(index / PER_BLOCK)
    const from = source(tip - 1_000 + index)
    if (index % PER_BLOCK === 0) source(height)
    const transaction = add(spendTransaction(from, [{ script: ownScript, value: VALUE + BigInt(index) }]), height)
    return { transaction, height, from }
  })
  const minedTransaction = add(coinbase(tip - 2, ownScript), tip - 2)
  const { transaction: lastPayment } = payments.at(-1)!
  const waitingTransaction = add(
    spendTransaction(lastPayment, [
      { script: otherScript, value: 4_000n },
      { script: ownScript, value: 5_000n }
    ]),
    null
  )
  const utxo = (transaction: Transaction, vout: number, height: number | null): Utxo => ({
    txid: hashOf(transaction.getId()),
    vout,
    value: transaction.outs[vout]!.value,
    script: ownScript,
    isCoinbase: transaction === minedTransaction,
    block: height === null ? null : { hash: hashOf(blockHashAt(height)), height }
  })
  const [first, second] = [source(tip - 500), source(tip - 501)]
  const goodTransaction = spendTransaction(first, [{ script: otherScript, value: 49_000_000n }])
  return {
    history: {
      address: OWN,
      transactions: [
        reportedTransaction(waitingTransaction, null, lastPayment),
        reportedTransaction(minedTransaction, tip - 2, null),
        ...payments.map(({ from, height, transaction }) => reportedTransaction(transaction, height, from)).reverse()
      ],
      utxos: [
        utxo(waitingTransaction, 1, null),
        utxo(minedTransaction, 0, tip - 2),
        ...payments.slice(0, -1).map(({ height, transaction }) => utxo(transaction, 0, height))
      ]
    },
    broadcast: {
      validPayment: { txid: hashOf(goodTransaction.getId()), bytes: bytes(goodTransaction) },
      minedBytes: bytes(lastPayment),
      conflictingBytes: bytes(spendTransaction(lastPayment, [{ script: otherScript, value: 9_000n }])),
      tooCheap: bytes(spendTransaction(second, [{ script: otherScript, value: 49_999_999n }]))
    }
  }
}
