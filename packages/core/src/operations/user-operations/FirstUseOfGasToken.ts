import { Context } from "effect"

/**
 * How gas is paid for a wallet's first operation with a gas token, for which the paymaster has no allowance yet.
 * TRUSTED: the allowance is one of its calls, so calls that revert also revert the allowance, and the gas stays unpaid.
 * PAID: a preceding operation only grants the allowance, so that the fee of the second is charged before its calls. The
 * owner signs both.
 */
export type FirstUse = "TRUSTED" | "PAID"

/** The operator's setting. */
export const FirstUseOfGasToken = Context.Reference<FirstUse>("@countersign/core/user-operations/FirstUseOfGasToken", {
  defaultValue: () => "TRUSTED"
})
