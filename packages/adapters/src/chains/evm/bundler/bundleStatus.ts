import type { BundleTransaction } from "@countersign/core/operations/operator"

/** Number of reverted bundles after which an operation is rejected. */
export const REVERTS_MAX = 3

/** State of the transactions that contain an operation. */
export interface BundleStatus {
  /**
   * Whether a transaction is pending, or is included in a block that is not final yet. Then the operation must not be
   * sent again.
   */
  readonly isBundled: boolean
  /** Whether one of the transactions is probably included. */
  readonly isInBlock: boolean
  /** Number of transactions that reverted. */
  readonly reverts: number
}

export const bundleStatusOf = (
  transactions: ReadonlyArray<Pick<BundleTransaction, "state" | "watched">>
): BundleStatus => {
  const isInBlock = transactions.some(({ state, watched }) => state === "MINED" && watched)
  return {
    isBundled: isInBlock || transactions.some(({ state }) => state === "SENT"),
    isInBlock,
    reverts: transactions.filter(({ state }) => state === "REVERTED").length
  }
}
