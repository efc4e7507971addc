import type { Bytes } from "./bytes.ts"

export type LendingAction = "supply" | "borrow" | "repay" | "withdraw"

/** The effect of a call on a lending protocol, for the wallet itself. */
export interface LendingAct {
  readonly lender: Bytes
  readonly action: LendingAction
  readonly token: Bytes
  /** Base units; for MAX the whole debt or deposit of Aave, or the shares of Morpho Blue. */
  readonly amount: bigint | "MAX"
  /** Only for Morpho Blue, if the amount is in shares; null otherwise. */
  readonly shares: bigint | null
  /** Morpho Blue's market id; null for Aave. */
  readonly marketId: Bytes | null
  /** Only for Morpho Blue: the side of the market. */
  readonly isCollateral: boolean | null
}
