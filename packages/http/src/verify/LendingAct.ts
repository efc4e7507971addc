import type { Bytes } from "./bytes.ts"

export type LendingAction = "supply" | "borrow" | "repay" | "withdraw"

/** An action of the wallet in a lending protocol, decoded from a call. */
export interface LendingAct {
  readonly lender: Bytes
  readonly action: LendingAction
  readonly token: Bytes
  /**
   * In base units. MAX means all of a debt or deposit on Aave, or an amount that Morpho Blue computes from `shares`.
   */
  readonly amount: bigint | "MAX"
  /** The shares in a call to Morpho Blue; null if the call contains an amount, and null for Aave. */
  readonly shares: bigint | null
  /** Morpho Blue's market id; null for Aave. */
  readonly marketId: Bytes | null
  /** Whether the call concerns the collateral of a Morpho Blue market; null for Aave. */
  readonly isCollateral: boolean | null
}
