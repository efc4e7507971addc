import { Context, type DateTime, type Effect } from "effect"
import type { Transaction } from "../../accounting/history/index.ts"
import type { BitcoinAddress } from "../../foundation/primitives/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { BitcoinBlock } from "../chain/index.ts"
import type { AddressLook, BitcoinSighted, BitcoinSighting, Outpoint } from "./BitcoinSighting.ts"

/** What is known of a sighting after a look at it. */
export interface SightedChange {
  readonly block: BitcoinBlock | null
  readonly confirmations: number
  readonly spends: ReadonlyArray<Outpoint> | null
  /** When it is looked at again; null where only the chain's growth is waited for. */
  readonly dueAt: DateTime.Utc | null
}

/** Transactions of Bitcoin's chain with registered addresses, and which address is looked at when. */
export class BitcoinActivityStore extends Context.Service<
  BitcoinActivityStore,
  {
    /** How many addresses are registered, each counted once. */
    readonly addressCount: Effect.Effect<number>
    /** Which of these are registered. */
    readonly registered: (addresses: Iterable<BitcoinAddress>) => Effect.Effect<ReadonlySet<BitcoinAddress>>
    /** The projects that registered an address. */
    readonly projectsOf: (address: BitcoinAddress) => Effect.Effect<ReadonlyArray<ProjectId>>

    /** Transactions of a project that are on their way from another chain to Bitcoin's. */
    readonly arriving: (projectId: ProjectId) => Effect.Effect<ReadonlyArray<Transaction>>

    /** Due at once. One that waits is left as it is where it is known already. */
    readonly see: (sightings: ReadonlyArray<BitcoinSighting>, now: DateTime.Utc) => Effect.Effect<void>
    /** The longest due first. */
    readonly due: (now: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<BitcoinSighted>>
    /** In a block, not due, and with fewer confirmations told than the chain of this height gives them. */
    readonly grown: (height: number, limit: number) => Effect.Effect<ReadonlyArray<BitcoinSighted>>
    /** In blocks above a height. */
    readonly above: (height: number) => Effect.Effect<ReadonlyArray<BitcoinSighted>>
    readonly later: (sighted: BitcoinSighted, dueAt: DateTime.Utc) => Effect.Effect<void>
    /** False, and nothing stored, where it has changed since. */
    readonly decide: (sighted: BitcoinSighted, change: SightedChange) => Effect.Effect<boolean>
    readonly forget: (sighted: BitcoinSighted) => Effect.Effect<void>

    /** Addresses that are due for a look, the longest due first. */
    readonly looks: (now: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<AddressLook>>
    /** Nothing where it has changed since: the address was registered once more. */
    readonly moveLook: (look: AddressLook, dueAt: DateTime.Utc) => Effect.Effect<void>
    /** Something happened to these addresses: their look is due by then, if it was due later. */
    readonly hurryLooks: (
      addresses: ReadonlyArray<BitcoinAddress>,
      activeAt: DateTime.Utc,
      dueAt: DateTime.Utc
    ) => Effect.Effect<void>
    /** Has the history of every address read from now down to a block, or further where that was to be read before. */
    readonly lookAgain: (toHeight: number, now: DateTime.Utc) => Effect.Effect<void>
  }
>()("@countersign/core/bitcoin-activity/BitcoinActivityStore") {}
