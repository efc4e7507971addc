import type { BundleTransaction } from "@countersign/core/operations/operator"

/** Number of reverted bundles of an operation before it is rejected. */
export const REVERTS_MAX = 3

/** The state of an operation's bundle transactions. */
export interface BundleStatus {
  /** One is pending, or in a block that is being watched: there is nothing to send. */
  readonly isBundled: boolean
  /** One of them is probably in a block. */
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
