import type { BitcoinTransaction, Utxo } from "@countersign/core/bitcoin/chain"
import type { BitcoinAddress, Hash32, HexBytes } from "@countersign/core/foundation/primitives"
import { Effect } from "effect"
import { HostFailure } from "../../outbound/json-api/index.ts"
import { hashOf } from "./bytes.ts"
import type { EsploraHost } from "./EsploraHost.ts"
import { historyPage } from "./esploraHistory.ts"
import { blockOf, Utxos } from "./esploraResponses.ts"
import { addressToScript } from "./readAddress.ts"

/** Number of confirmations that a coinbase output needs before it can be spent. */
const MATURITY = 100
/** Maximum number of history pages that are read for a list of UTXOs. They contain ten thousand transactions. */
const MAX_PAGES = 400

type Block = { readonly hash: Hash32; readonly height: number } | null
const blockReference = (block: Block): Block => (block === null ? null : { hash: block.hash, height: block.height })

/** Reads the history of an address, latest first, page by page while `isMoreWanted` returns true. */
const readHistoryWhile = Effect.fnUntraced(function* (
  host: EsploraHost,
  address: BitcoinAddress,
  isMoreWanted: (last: BitcoinTransaction) => boolean
) {
  const history: Array<BitcoinTransaction> = []
  let lastTxid: Hash32 | null = null
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page: ReadonlyArray<BitcoinTransaction> = yield* historyPage(host, address, lastTxid)
    history.push(...page)
    const lastTransaction = page.at(-1)
    if (lastTransaction === undefined || !isMoreWanted(lastTransaction)) return history
    lastTxid = lastTransaction.txid
  }
  return yield* Effect.fail(new HostFailure("the history of the address is too long to compute its UTXOs"))
})

/**
 * Computes the UTXOs of an address that has more UTXOs than Esplora lists: all outputs to the address that no
 * transaction in its history spends.
 */
const utxosFromHistory = Effect.fnUntraced(function* (host: EsploraHost, address: BitcoinAddress, script: HexBytes) {
  const history = yield* readHistoryWhile(host, address, () => true)
  const spentOutputs = new Set(history.flatMap(({ inputs }) => inputs.map(({ txid, vout }) => `${txid}:${vout}`)))
  const utxos = new Map<string, Utxo>()
  for (const { block, isCoinbase, outputs, txid } of history) {
    for (const [vout, { script: outputScript, value }] of outputs.entries()) {
      const outpoint = `${txid}:${vout}`
      if (outputScript !== script || spentOutputs.has(outpoint)) continue
      utxos.set(outpoint, { txid, vout, value, script, isCoinbase, block: blockReference(block) })
    }
  }
  return [...utxos.values()]
})

/**
 * Finds the coinbase transactions in the recent history, including all immature ones. Esplora's list of UTXOs does not
 * mark coinbase outputs.
 */
const findImmatureCoinbases = Effect.fnUntraced(function* (
  host: EsploraHost,
  address: BitcoinAddress,
  tip: number,
  heights: ReadonlyArray<number>
) {
  const isImmature = (height: number) => height > tip - MATURITY
  const immatureHeights = heights.filter(isImmature)
  if (immatureHeights.length === 0) return new Set<Hash32>()
  const earliest = Math.min(...immatureHeights)
  const history = yield* readHistoryWhile(host, address, ({ block }) => block === null || block.height >= earliest)
  return new Set(history.filter(({ isCoinbase }) => isCoinbase).map(({ txid }) => txid))
})

/** Reads all UTXOs of an address. */
export const utxosAt = Effect.fnUntraced(function* (host: EsploraHost, address: BitcoinAddress, tip: number) {
  const script = addressToScript(address)
  const listedUtxos = yield* host
    .get(`/address/${address}/utxo`, Utxos)
    .pipe(Effect.catch((failure) => (failure.kind === "TOO_HEAVY" ? Effect.succeed(null) : Effect.fail(failure))))
  if (listedUtxos === null) return yield* utxosFromHistory(host, address, script)
  const utxosWithBlocks = listedUtxos.map((utxo) => ({ ...utxo, block: blockReference(blockOf(utxo.status)) }))
  const heights = utxosWithBlocks.flatMap(({ block }) => (block === null ? [] : [block.height]))
  const coinbaseTxids = yield* findImmatureCoinbases(host, address, tip, heights)
  return utxosWithBlocks.map(
    ({ block, txid, value, vout }): Utxo => ({
      txid: hashOf(txid),
      vout: Number(vout),
      value: BigInt(value),
      script,
      block,
      isCoinbase: coinbaseTxids.has(hashOf(txid))
    })
  )
})
