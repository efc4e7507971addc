import type { Bytes } from "./bytes.ts"

export type LendingAction = "supply" | "borrow" | "repay" | "withdraw"

/** The effect that a call to a lending protocol has on the wallet itself. */
export interface LendingAct {
  readonly lender: Bytes
  readonly action: LendingAction
  readonly token: Bytes
  /** Base units. MAX is the whole debt or deposit of Aave, or the shares of Morpho Blue. */
  readonly amount: bigint | "MAX"
  /** Set only for Morpho Blue, if the amount is in shares; otherwise null. */
  readonly shares: bigint | null
  /** Morpho Blue's market id; null for Aave. */
  readonly marketId: Bytes | null
  /** Set only for Morpho Blue: whether the side of the market is collateral. */
  readonly isCollateral: boolean | null
}
