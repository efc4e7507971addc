import { Context } from "effect"

/** Limits for the health factor, scaled by 10^18. */
export interface LendingSettings {
  /** If an operation lowers the health factor to less than this value, its quote contains a warning. */
  readonly warnBelowE18: bigint
  /**
   * If an operation lowers the health factor to less than this value, it is rejected, unless the request accepts the
   * risk.
   */
  readonly refuseBelowE18: bigint
}

export const LendingSettings = Context.Reference<LendingSettings>("@countersign/core/lending/LendingSettings", {
  defaultValue: () => ({ warnBelowE18: 1_250_000_000_000_000_000n, refuseBelowE18: 1_030_000_000_000_000_000n })
})
