import { Context } from "effect"

/**
 * How gas is paid for a wallet's first operation with a gas token, when the paymaster has no allowance yet. TRUSTED:
 * the operation itself grants the allowance. If its calls revert, the allowance is reverted as well, and the gas stays
 * unpaid. PAID: a preceding operation grants the allowance, so that the paymaster can charge its fee before the calls
 * of the second operation. The owner signs both operations.
 */
export type FirstUse = "TRUSTED" | "PAID"

/** The operator's setting for first uses of a gas token. */
export const FirstUseOfGasToken = Context.Reference<FirstUse>("@countersign/core/user-operations/FirstUseOfGasToken", {
  defaultValue: () => "TRUSTED"
})
