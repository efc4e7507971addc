import type { DateTime } from "effect"
import type { BitcoinAddress, Hash32 } from "../../foundation/primitives/index.ts"
import type { BitcoinBlock, PreviousOutput } from "../chain/index.ts"

export type Outpoint = Pick<PreviousOutput, "txid" | "vout">

/** A transaction that pays to, or spends from, a registered address. */
export interface DetectedBitcoinTransfer {
  readonly txid: Hash32
  readonly address: BitcoinAddress
  /** Null while no block that was read includes the transaction. */
  readonly block: BitcoinBlock | null
}

/** A stored detected transfer. It is removed once it has enough confirmations or can no longer be confirmed. */
export interface StoredBitcoinTransfer {
  readonly detectedTransfer: DetectedBitcoinTransfer
  /** The confirmations that are recorded in the history. */
  readonly confirmations: number
  /** The outputs that the transaction spends; null before the first check. */
  readonly spends: ReadonlyArray<Outpoint> | null
  readonly seenAt: DateTime.Utc
  /** Changes with each update. */
  readonly version: number
}

/** A registered address, with the part of its history that has not been read yet. */
export interface AddressPoll {
  readonly address: BitcoinAddress
  /** The time of its last known activity, or of its registration. */
  readonly activeAt: DateTime.Utc
  /** The block down to which the history must still be read; null if the history is complete. */
  readonly toHeight: number | null
  /** The last transaction of the previous page; null before the first page. */
  readonly after: Hash32 | null
  /** Number of transactions read so far. */
  readonly read: number
  /** Changes with each update, and with each registration. */
  readonly version: number
}
