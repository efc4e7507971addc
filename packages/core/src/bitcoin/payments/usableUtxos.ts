import type { Hash32 } from "../../foundation/primitives/index.ts"
import type { Quote } from "../../operations/quotes/index.ts"
import type { PreviousOutput, Utxo } from "../chain/index.ts"

/** Number of confirmations after which a coinbase output can be spent (consensus rule, `COINBASE_MATURITY`). */
const MATURITY = 100

type Outpoint = Pick<PreviousOutput, "txid" | "vout">

export const outpointText = ({ txid, vout }: Outpoint): string => `${txid}:${vout}`

/** Returns the UTXOs that the payments of a quote spend. */
export const quotedInputs = ({ intents }: Pick<Quote, "intents">): ReadonlyArray<PreviousOutput> =>
  intents.flatMap((intent) => (intent.type === "BITCOIN_TRANSACTION" ? (intent.terms?.inputs ?? []) : []))

/** The current use of a wallet's UTXOs. It determines which of them a payment may spend. */
export interface UtxoState {
  /** The block height on which several sources agree. */
  readonly tipHeight: number
  /**
   * Unconfirmed transactions that spend only UTXOs of the wallet. Their outputs to the wallet are its change. Empty
   * unless requested.
   */
  readonly ownWaiting: ReadonlySet<Hash32>
  /** UTXOs of quotes that can still be signed, as `outpointText`. */
  readonly quoted: ReadonlySet<string>
  /** UTXOs of accepted payments, as `outpointText`. Another payment that spends them would replace the first one. */
  readonly pendingSpends: ReadonlySet<string>
}

/**
 * Returns the UTXOs that a payment may spend, in groups by preference: confirmed UTXOs, then the wallet's unconfirmed
 * change, then UTXOs of quotes that may never be signed. If `spendsAll` is set, because the payment spends the entire
 * balance, the change is in the first group.
 */
export const usableUtxos = <C extends Utxo>(
  utxos: ReadonlyArray<C>,
  { ownWaiting, quoted, tipHeight, pendingSpends }: UtxoState,
  spendsAll = false
): ReadonlyArray<ReadonlyArray<C>> => {
  const isMature = ({ block, isCoinbase }: C) =>
    !isCoinbase || (block !== null && tipHeight + 1 - block.height >= MATURITY)
  const matureUtxos = utxos.filter(
    (utxo) =>
      !pendingSpends.has(outpointText(utxo)) && isMature(utxo) && (utxo.block !== null || ownWaiting.has(utxo.txid))
  )
  const freeUtxos = matureUtxos.filter((utxo) => !quoted.has(outpointText(utxo)))
  const freeGroups = spendsAll
    ? [freeUtxos]
    : [freeUtxos.filter(({ block }) => block !== null), freeUtxos.filter(({ block }) => block === null)]
  const groups = [...freeGroups, matureUtxos.filter((utxo) => quoted.has(outpointText(utxo)))]
  return groups.filter((group) => group.length > 0)
}
