import { Context } from "effect"

/**
 * The gas payment of a wallet's first operation with a gas token, for which the paymaster has no allowance yet.
 * TRUSTED: the operation itself grants the allowance. If its calls revert, the allowance is reverted too, and the gas
 * stays unpaid. PAID: a preceding operation grants the allowance, so that the paymaster charges its fee before the
 * calls of the second operation. The owner signs both operations.
 */
export type FirstUse = "TRUSTED" | "PAID"

/** The operator's setting for first uses of a gas token. */
export const FirstUseOfGasToken = Context.Reference<FirstUse>("@countersign/core/user-operations/FirstUseOfGasToken", {
  defaultValue: () => "TRUSTED"
})
