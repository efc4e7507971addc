import type { Carrier } from "@countersign/core/operator"

/** Bundles of an operation that may revert before it is rejected. */
export const REVERTS_MAX = 3

/** What the transactions that carry an operation say of it. */
export interface Carriage {
  /** One is on its way, or in a block where the lane's keeper watches it: there is nothing to send. */
  readonly isCarried: boolean
  /** The one that carries it is believed to be in a block. */
  readonly isInBlock: boolean
  /** How many of them reverted. */
  readonly reverts: number
}

export const carriageOf = (carriers: ReadonlyArray<Pick<Carrier, "state" | "watched">>): Carriage => {
  const isInBlock = carriers.some(({ state, watched }) => state === "MINED" && watched)
  return {
    isCarried: isInBlock || carriers.some(({ state }) => state === "SENT"),
    isInBlock,
    reverts: carriers.filter(({ state }) => state === "REVERTED").length
  }
}
