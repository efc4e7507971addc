import type { Bytes } from "./bytes.ts"

export type LendingAction = "supply" | "borrow" | "repay" | "withdraw"

/** The effect of a call on a lending protocol, for the wallet alone. */
export interface LendingAct {
  readonly lender: Bytes
  readonly action: LendingAction
  readonly token: Bytes
  /** Base units; where it is MAX, all of Aave's debt or deposit, or the shares of Morpho Blue. */
  readonly amount: bigint | "MAX"
  /** Only on Morpho Blue, where the amount is in shares; null otherwise. */
  readonly shares: bigint | null
  /** Morpho Blue's id of the market; null of Aave. */
  readonly marketId: Bytes | null
  /** Only on Morpho Blue: the side of the market. */
  readonly isCollateral: boolean | null
}
