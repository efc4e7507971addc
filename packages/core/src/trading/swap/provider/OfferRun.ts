import type { Address } from "../../../foundation/primitives/index.ts"
import type { RemainingAllowance } from "../../../operations/quotes/index.ts"
import type { RevertReason } from "../../../operations/user-operations/index.ts"

/** The effects of an offer's calls in a simulated operation, without its fees and gas payment. */
export interface OfferRun {
  /** Null if it would succeed. Otherwise the other fields have no meaning. */
  readonly revert: RevertReason | null
  /** What the simulation could not show; null if it shows everything. */
  readonly notSeen: string | null
  /** The wallet's decreases by token, in base units. */
  readonly taken: ReadonlyMap<Address, bigint>
  /** The recipient's increase of tokenOut in base units; null if it is expected on another chain. */
  readonly arrived: bigint | null
  /** Remaining allowances of others than the operation's paymaster, from approvals in the simulation. */
  readonly allowances: ReadonlyArray<RemainingAllowance>
}
