import type { BitcoinTransaction } from "@countersign/core/bitcoin/chain"
import { Hash32, HexBytes } from "@countersign/core/foundation/primitives"
import { Schema } from "effect"
import { hashOf } from "./bytes.ts"

const textMatching = (form: RegExp) => Schema.String.check(Schema.isPattern(form))

/**
 * An integer as text, because the total flow through an address may exceed the precision of a floating-point number.
 */
export const Satoshis = textMatching(/^\d{1,19}$/u)
const Count = textMatching(/^\d{1,10}$/u)
const Id = textMatching(/^[\da-f]{64}$/u)
const Script = textMatching(/^(?:[\da-f]{2})*$/u)

const OutputSums = Schema.Struct({ funded_txo_sum: Satoshis, spent_txo_sum: Satoshis })
export const AddressStats = Schema.Struct({
  address: Schema.String,
  chain_stats: OutputSums,
  mempool_stats: OutputSums
})

/** Returns the sum of an address's unspent outputs: funded minus spent. */
export const unspentSumOf = ({ funded_txo_sum, spent_txo_sum }: typeof OutputSums.Type): bigint =>
  BigInt(funded_txo_sum) - BigInt(spent_txo_sum)

const Status = Schema.Union([
  Schema.Struct({
    confirmed: Schema.Literal(true),
    block_height: Count,
    block_hash: Id,
    block_time: Count
  }),
  Schema.Struct({ confirmed: Schema.Literal(false) })
])

export const Block = Schema.Struct({
  id: Id,
  height: Count,
  tx_count: Count,
  timestamp: Count,
  /** Absent for the genesis block. */
  previousblockhash: Schema.optionalKey(Schema.NullOr(Id))
})
export const Utxos = Schema.Array(Schema.Struct({ txid: Id, vout: Count, value: Satoshis, status: Status }))
export const Outspend = Schema.Union([
  Schema.Struct({ spent: Schema.Literal(true), txid: Id }),
  Schema.Struct({ spent: Schema.Literal(false) })
])
export const FeeEstimates = Schema.Record(Schema.String, textMatching(/^\d{1,9}(?:\.\d{1,18})?(?:[eE]-?\d{1,2})?$/u))

/** Fee rates from mempool.space, in satoshis per virtual byte. */
export const PreciseFees = Schema.Struct({ minimumFee: textMatching(/^\d{1,9}(?:\.\d{1,18})?$/u) })

const Output = Schema.Struct({ scriptpubkey: Script, value: Satoshis })
const Input = Schema.Struct({
  txid: Id,
  vout: Count,
  prevout: Schema.NullOr(Output),
  is_coinbase: Schema.Boolean,
  sequence: Count
})
export const Transaction = Schema.Struct({
  txid: Id,
  vin: Schema.Array(Input),
  vout: Schema.Array(Output),
  locktime: Count,
  fee: Satoshis,
  weight: Count,
  status: Status
})
export const Transactions = Schema.Array(Transaction)

const scriptOf = (script: string): HexBytes => HexBytes.make(`0x${script}`)
const NO_SCRIPT = HexBytes.make("0x")

const outputOf = ({ scriptpubkey, value }: typeof Output.Type) => ({
  script: scriptOf(scriptpubkey),
  value: BigInt(value)
})

const inputOf = ({ prevout, sequence, txid, vout }: typeof Input.Type): BitcoinTransaction["inputs"][number] => ({
  txid: hashOf(txid),
  vout: Number(vout),
  sequence: Number(sequence),
  ...(prevout === null ? { script: NO_SCRIPT, value: 0n } : outputOf(prevout))
})

/** Returns the block of a transaction; null while it is unconfirmed. */
export const blockOf = (status: typeof Status.Type): BitcoinTransaction["block"] =>
  status.confirmed
    ? {
        hash: Hash32.make(`0x${status.block_hash}`),
        height: Number(status.block_height),
        minedAtMs: Number(status.block_time) * 1_000
      }
    : null

/** Converts a transaction. Null if the response lacks the output that an input spends. */
export const transactionOf = (response: typeof Transaction.Type): BitcoinTransaction | null => {
  if (response.vin.some(({ is_coinbase, prevout }) => prevout === null && !is_coinbase)) return null
  return {
    txid: hashOf(response.txid),
    inputs: response.vin.map(inputOf),
    outputs: response.vout.map(outputOf),
    lockTime: Number(response.locktime),
    fee: BigInt(response.fee),
    weight: Number(response.weight),
    isCoinbase: response.vin.some(({ is_coinbase }) => is_coinbase),
    block: blockOf(response.status)
  }
}
