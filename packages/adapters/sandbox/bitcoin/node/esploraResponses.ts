import { BitcoinAddress } from "@countersign/core/foundation/primitives"
import { address as codec, networks, script as scripts } from "bitcoinjs-lib"
import { Schema } from "effect"
import { addressToScript } from "../../../src/chains/bitcoin/readAddress.ts"
import { type ChainIndex, hexText, type IndexedOutput, type IndexedTransaction, parentTxidOf } from "./ChainIndex.ts"

const PAGE = 25
const MAX_WAITING = 50
const MAX_UTXOS = 500

/** An error with the message and the status that Esplora returns. */
export class EsploraRefusal extends Error {
  readonly status: 400 | 404

  constructor(status: 400 | 404, message: string) {
    super(message)
    this.status = status
  }
}

const decodeAddress = Schema.decodeUnknownSync(BitcoinAddress)

/** Returns the output script of an address in a path. */
export const scriptIn = (address: string): string => {
  try {
    return addressToScript(decodeAddress(address)).slice(2)
  } catch {
    throw new EsploraRefusal(400, "Invalid Bitcoin address")
  }
}

const statusOf = ({ block }: Pick<IndexedTransaction, "block">) =>
  block === null
    ? { confirmed: false }
    : { confirmed: true, block_height: block.height, block_hash: block.hash, block_time: block.time }

const addressOf = (script: Uint8Array): object => {
  try {
    return { scriptpubkey_address: codec.fromOutputScript(script, networks.bitcoin) }
  } catch {
    return {}
  }
}

const outputResponse = ({ script, value }: IndexedOutput) => ({
  scriptpubkey: hexText(script),
  scriptpubkey_asm: scripts.toASM(script),
  ...addressOf(script),
  value: Number(value)
})

/** Responds to `/tx/<txid>`. */
export const transactionResponse = (index: ChainIndex, entry: IndexedTransaction) => {
  const { transaction } = entry
  const isCoinbase = transaction.isCoinbase()
  return {
    txid: transaction.getId(),
    version: transaction.version,
    locktime: transaction.locktime,
    vin: transaction.ins.map((input) => ({
      txid: parentTxidOf(input),
      vout: input.index,
      prevout: isCoinbase ? null : outputResponse(index.output(parentTxidOf(input), input.index)!),
      scriptsig: hexText(input.script),
      witness: input.witness.map(hexText),
      is_coinbase: isCoinbase,
      sequence: input.sequence
    })),
    vout: transaction.outs.map(outputResponse),
    size: transaction.byteLength(),
    weight: transaction.weight(),
    fee: Number(index.fee(transaction)),
    status: statusOf(entry)
  }
}

/** Responds to `/tx/<txid>/outspend/<vout>`. */
export const outspendResponse = (index: ChainIndex, txid: string, vout: number) => {
  const spender = index.spender(txid, vout)
  if (spender === undefined) return { spent: false }
  const vin = spender.transaction.ins.findIndex((input) => parentTxidOf(input) === txid && input.index === vout)
  return { spent: true, txid: spender.transaction.getId(), vin, status: statusOf(spender) }
}

const sumsOf = (index: ChainIndex, script: string, entries: ReadonlyArray<IndexedTransaction>) => {
  const isOwn = (output: IndexedOutput | undefined): output is IndexedOutput =>
    output !== undefined && hexText(output.script) === script
  const fundedOutputs = entries.flatMap(({ transaction }) => transaction.outs.filter(isOwn))
  const spentOutputs = entries.flatMap(({ transaction }) =>
    transaction.ins.map((input) => index.output(parentTxidOf(input), input.index)).filter(isOwn)
  )
  const total = (outputs: ReadonlyArray<IndexedOutput>) => Number(outputs.reduce((sum, { value }) => sum + value, 0n))
  return {
    funded_txo_count: fundedOutputs.length,
    funded_txo_sum: total(fundedOutputs),
    spent_txo_count: spentOutputs.length,
    spent_txo_sum: total(spentOutputs),
    tx_count: entries.length
  }
}

/** Responds to `/address/<address>`. */
export const addressResponse = (index: ChainIndex, address: string) => {
  const script = scriptIn(address)
  const history = index.history(script)
  return {
    address,
    chain_stats: sumsOf(
      index,
      script,
      history.filter(({ block }) => block !== null)
    ),
    mempool_stats: sumsOf(
      index,
      script,
      history.filter(({ block }) => block === null)
    )
  }
}

/** Responds to `/address/<address>/utxo`. */
export const utxosResponse = (index: ChainIndex, address: string) => {
  const script = scriptIn(address)
  const utxos = index.history(script).flatMap((entry) =>
    entry.transaction.outs.flatMap((output, vout) => {
      const txid = entry.transaction.getId()
      const isFree = hexText(output.script) === script && index.spender(txid, vout) === undefined
      return isFree ? [{ txid, vout, value: Number(output.value), status: statusOf(entry) }] : []
    })
  )
  if (utxos.length > MAX_UTXOS) throw new EsploraRefusal(400, "Too many unspent outputs")
  return utxos
}

/** Responds to `/address/<address>/txs`, and to `…/txs/chain/<txid>` with the transactions before that one. */
export const historyResponse = (index: ChainIndex, address: string, lastTxid: string | undefined) => {
  const history = index.history(scriptIn(address))
  const confirmedTransactions = history.filter(({ block }) => block !== null)
  const lastIndex = confirmedTransactions.findIndex(({ transaction }) => transaction.getId() === lastTxid)
  const olderEntries = lastIndex < 0 ? [] : confirmedTransactions.slice(lastIndex + 1)
  const unconfirmedTransactions = history.filter(({ block }) => block === null).slice(0, MAX_WAITING)
  const page =
    lastTxid === undefined
      ? [...unconfirmedTransactions, ...confirmedTransactions.slice(0, PAGE)]
      : olderEntries.slice(0, PAGE)
  return page.map((entry) => transactionResponse(index, entry))
}

/** Responds to `/block/<hash>`. */
export const blockResponse = (index: ChainIndex, hash: string) => {
  const block = index.blockOf(hash)
  if (block === undefined) throw new EsploraRefusal(404, "Block not found")
  const previousblockhash = index.block(block.height - 1)?.hash ?? null
  return { id: hash, height: block.height, timestamp: block.time, tx_count: block.txids.length, previousblockhash }
}

/** Responds to `/block/<hash>/txs/<start>`. */
export const blockTransactionsResponse = (index: ChainIndex, hash: string, start: number) => {
  const block = index.blockOf(hash)
  if (block === undefined) throw new EsploraRefusal(404, "Block not found")
  return block.txids.slice(start, start + PAGE).map((txid) => transactionResponse(index, index.get(txid)!))
}
