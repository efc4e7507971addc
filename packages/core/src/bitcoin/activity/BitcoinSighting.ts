import type { DateTime } from "effect"
import type { BitcoinAddress, Hash32 } from "../../foundation/primitives/index.ts"
import type { BitcoinBlock, PreviousOutput } from "../chain/index.ts"

export type Outpoint = Pick<PreviousOutput, "txid" | "vout">

/** A transaction that pays to, or spends from, a registered address. */
export interface BitcoinSighting {
  readonly txid: Hash32
  readonly address: BitcoinAddress
  /** Null while it waits for a block, as far as the chain was read. */
  readonly block: BitcoinBlock | null
}

/** A stored sighting: until enough blocks are on top of its own, or it is gone for good. */
export interface BitcoinSighted {
  readonly sighting: BitcoinSighting
  /** As many as the history was told of. */
  readonly confirmations: number
  /** What it spends; null before it was looked at. */
  readonly spends: ReadonlyArray<Outpoint> | null
  readonly seenAt: DateTime.Utc
  /** Another one with each change. */
  readonly version: number
}

/** A registered address, and what of its history is still to be read. */
export interface AddressLook {
  readonly address: BitcoinAddress
  /** When something happened to it last, as far as that is known: else its registration. */
  readonly activeAt: DateTime.Utc
  /** The lowest block that its history is read down to; null where all of it is read that should be. */
  readonly toHeight: number | null
  /** The last transaction of the page before; null before the first page. */
  readonly after: Hash32 | null
  /** Transactions of its history that were read on the way down. */
  readonly read: number
  /** Another one with each change, and with each registration. */
  readonly version: number
}
