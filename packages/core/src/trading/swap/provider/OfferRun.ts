import type { Address } from "../../../foundation/primitives/index.ts"
import type { RemainingAllowance } from "../../../operations/quotes/index.ts"
import type { RevertReason } from "../../../operations/user-operations/index.ts"

/** What a run of an operation showed of an offer's calls: without the fees and the gas that it pays besides. */
export interface OfferRun {
  /** Null where it would execute. The rest says nothing where it would not. */
  readonly revert: RevertReason | null
  /** What could not be seen of the run; null where all of it was. */
  readonly notSeen: string | null
  /** What the wallet has less of, in base units. */
  readonly taken: ReadonlyMap<Address, bigint>
  /** Base units of tokenOut that the recipient has more of; null where it is to arrive on another chain. */
  readonly arrived: bigint | null
  /** What others than the operation's paymaster may still take of the wallet, of what was allowed in the run. */
  readonly allowances: ReadonlyArray<RemainingAllowance>
}
