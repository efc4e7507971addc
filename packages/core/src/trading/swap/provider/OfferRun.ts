import type { Address } from "../../../foundation/primitives/index.ts"
import type { RemainingAllowance } from "../../../operations/quotes/index.ts"
import type { RevertReason } from "../../../operations/user-operations/index.ts"

/** The effects of an offer's calls in a simulated operation, without the fees and the gas payment. */
export interface OfferRun {
  /**
   * The reason why the operation would revert. The other fields then have no meaning. Null if the operation would
   * succeed.
   */
  readonly revert: RevertReason | null
  /** The effects that the simulation could not show, as a sentence. Null if it showed all effects. */
  readonly notSeen: string | null
  /** The amounts by which the wallet's balances decrease, by token, in base units. */
  readonly taken: ReadonlyMap<Address, bigint>
  /** The increase of the recipient's tokenOut balance in base units. Null if the output arrives on another chain. */
  readonly arrived: bigint | null
  /** Allowances that the calls granted and did not use up. The paymaster's allowance is excluded. */
  readonly allowances: ReadonlyArray<RemainingAllowance>
}
