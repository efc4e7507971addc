import type { BitcoinTransaction, Utxo } from "@countersign/core/bitcoin/chain"
import { BitcoinAddress, HexBytes } from "@countersign/core/foundation/primitives"
import { Transaction } from "bitcoinjs-lib"
import { bytesOf, hashOf } from "../../src/chains/bitcoin/bytes.ts"
import { addressToScript } from "../../src/chains/bitcoin/readAddress.ts"
import { blockHashAt, blockTimeAt, type EmulatedChain } from "./EmulatedChain.ts"

const OWN_ADDRESS = BitcoinAddress.make("bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g")
const OTHER_ADDRESS = BitcoinAddress.make("1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2")
const [ownScript, otherScript] = [addressToScript(OWN_ADDRESS), addressToScript(OTHER_ADDRESS)]

const PAYMENT_COUNT = 60
/** Large enough that the transactions of a block fill more than one page. */
const PAYMENTS_PER_BLOCK = 30
const VALUE = 10_000n

interface Output {
  readonly script: HexBytes
  readonly value: bigint
}

const coinbaseTransaction = (height: number, script: HexBytes): Transaction => {
  const transaction = new Transaction()
  transaction.addInput(new Uint8Array(32), 0xffff_ffff, undefined, Uint8Array.from(Buffer.from(`height ${height}`)))
  transaction.addOutput(bytesOf(script), 50_000_000n)
  return transaction
}

const spendTransaction = (spentTransaction: Transaction, outputs: ReadonlyArray<Output>): Transaction => {
  const transaction = new Transaction()
  transaction.version = 2
  transaction.addInput(spentTransaction.getHash(), 0, 0xffff_fffd)
  for (const { script, value } of outputs) transaction.addOutput(bytesOf(script), value)
  return transaction
}

const outputsOf = (transaction: Transaction): ReadonlyArray<Output> =>
  transaction.outs.map(({ script, value }) => ({
    script: HexBytes.make(`0x${Buffer.from(script).toString("hex")}`),
    value
  }))

const expectedTransaction = (
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
  block: height === null ? null : { hash: hashOf(blockHashAt(height)), height, minedAtMs: blockTimeAt(height) * 1_000 }
})

const transactionBytes = (transaction: Transaction) => HexBytes.make(`0x${transaction.toHex()}`)

/** Adds payments of an address to chains. Returns the data that a reader of these chains must report. */
export const makeChainFixture = (chains: ReadonlyArray<EmulatedChain>, tip: number) => {
  const add = (transaction: Transaction, height: number | null) => {
    for (const chain of chains) chain.add(transaction, height)
    return transaction
  }
  const addSource = (height: number) => add(coinbaseTransaction(height, otherScript), height)
  const payments = Array.from({ length: PAYMENT_COUNT }, (_, index) => {
    const height = tip - 10 + Math.floor(index / PAYMENTS_PER_BLOCK)
    const from = addSource(tip - 1_000 + index)
    if (index % PAYMENTS_PER_BLOCK === 0) addSource(height)
    const transaction = add(spendTransaction(from, [{ script: ownScript, value: VALUE + BigInt(index) }]), height)
    return { transaction, height, from }
  })
  const minedTransaction = add(coinbaseTransaction(tip - 2, ownScript), tip - 2)
  const { transaction: lastPayment } = payments.at(-1)!
  const unconfirmedTransaction = add(
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
  const [firstSource, secondSource] = [addSource(tip - 500), addSource(tip - 501)]
  const goodTransaction = spendTransaction(firstSource, [{ script: otherScript, value: 49_000_000n }])
  return {
    history: {
      address: OWN_ADDRESS,
      transactions: [
        expectedTransaction(unconfirmedTransaction, null, lastPayment),
        expectedTransaction(minedTransaction, tip - 2, null),
        ...payments.map(({ from, height, transaction }) => expectedTransaction(transaction, height, from)).reverse()
      ],
      utxos: [
        utxo(unconfirmedTransaction, 1, null),
        utxo(minedTransaction, 0, tip - 2),
        ...payments.slice(0, -1).map(({ height, transaction }) => utxo(transaction, 0, height))
      ]
    },
    broadcast: {
      validPayment: { txid: hashOf(goodTransaction.getId()), bytes: transactionBytes(goodTransaction) },
      minedBytes: transactionBytes(lastPayment),
      conflictingBytes: transactionBytes(spendTransaction(lastPayment, [{ script: otherScript, value: 9_000n }])),
      tooCheap: transactionBytes(spendTransaction(secondSource, [{ script: otherScript, value: 49_999_999n }]))
    }
  }
}
