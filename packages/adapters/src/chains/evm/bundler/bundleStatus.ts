import type { BundleTransaction } from "@countersign/core/operations/operator"

/** Bundles of an operation that may revert before it is rejected. */
export const REVERTS_MAX = 3

/** Where an operation stands, by the bundle transactions that include it. */
export interface BundleStatus {
  /** One is on its way, or in a block where the lane's keeper watches it: there is nothing to send. */
  readonly isBundled: boolean
  /** One of them is believed to be in a block. */
  readonly isInBlock: boolean
  /** How many of them reverted. */
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
