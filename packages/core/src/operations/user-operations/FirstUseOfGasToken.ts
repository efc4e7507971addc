import { Context } from "effect"

/**
 * How the gas is paid of the first operation of a wallet with a token, for which the paymaster has no allowance yet.
 * TRUSTED: with the allowance among its calls, so that calls that revert take it back, and the gas stays unpaid.
 * PAID: an operation before it gives the allowance and nothing else, so that the fee of the second is taken before its
 * calls. The owner signs both.
 */
export type FirstUse = "TRUSTED" | "PAID"

/** Set by the operator. */
export const FirstUseOfGasToken = Context.Reference<FirstUse>("@countersign/core/user-operations/FirstUseOfGasToken", {
  defaultValue: () => "TRUSTED"
})
