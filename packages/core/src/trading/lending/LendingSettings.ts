import { Context } from "effect"

/** Limits of the health factor, scaled by 10^18. */
export interface LendingSettings {
  /** Below this health factor, a quote has a warning. */
  readonly warnBelowE18: bigint
  /** Below this health factor, a quote is rejected, unless the request accepts the risk. */
  readonly refuseBelowE18: bigint
}

export const LendingSettings = Context.Reference<LendingSettings>("@countersign/core/lending/LendingSettings", {
  defaultValue: () => ({ warnBelowE18: 1_250_000_000_000_000_000n, refuseBelowE18: 1_030_000_000_000_000_000n })
})
