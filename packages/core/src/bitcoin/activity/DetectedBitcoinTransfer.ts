import type { DateTime } from "effect"
import type { BitcoinAddress, Hash32 } from "../../foundation/primitives/index.ts"
import type { BitcoinBlock, PreviousOutput } from "../chain/index.ts"

export type Outpoint = Pick<PreviousOutput, "txid" | "vout">

/** A transaction that pays to a registered address or spends from it. */
export interface DetectedBitcoinTransfer {
  readonly txid: Hash32
  readonly address: BitcoinAddress
  /** Null if none of the blocks that were read includes the transaction. */
  readonly block: BitcoinBlock | null
}

/**
 * A stored detected transfer. It is deleted when it has enough confirmations, or when it can no longer be confirmed.
 */
export interface StoredBitcoinTransfer {
  readonly detectedTransfer: DetectedBitcoinTransfer
  /** Number of confirmations that the history shows. */
  readonly confirmations: number
  /** The outputs that the transaction spends. Null before the first check. */
  readonly spends: ReadonlyArray<Outpoint> | null
  readonly seenAt: DateTime.Utc
  /** Changes with each update. */
  readonly version: number
}

/** A registered address, and how far its history was read. */
export interface AddressPoll {
  readonly address: BitcoinAddress
  /** The time of the last known activity of the address, or of its registration. */
  readonly activeAt: DateTime.Utc
  /** The block down to which the history must still be read. Null if no past transactions must be read. */
  readonly toHeight: number | null
  /** The last transaction of the previous page. Null before the first page. */
  readonly after: Hash32 | null
  /** Number of transactions read so far. */
  readonly read: number
  /** Changes with each recorded poll, recheck and registration. */
  readonly version: number
}
