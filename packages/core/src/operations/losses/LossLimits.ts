import { Context } from "effect"

/** Limits for the number of a wallet's or owner's entries of unpaid gas. Older ones count less. */
export interface CountLimit {
  /** Above it: one operation at a time, and a delay after each entry. */
  readonly throttledAbove: number
  /** Above it: no operations. */
  readonly stoppedAbove: number
}

/** The maximum unpaid gas before operations are rejected. */
export interface LossLimits {
  readonly wallet: CountLimit
  readonly owner: CountLimit
  /**
   * Millionths of a US dollar that a project, and all projects together, may leave unpaid per day, on average over two
   * days. At 0 no operation is accepted whose gas could stay unpaid.
   */
  readonly projectUsdE6PerDay: bigint
  readonly operatorUsdE6PerDay: bigint
}

/** The limits of the service. The operator sets the budgets. */
export const LossLimits = Context.Reference<LossLimits>("@countersign/core/losses/LossLimits", {
  defaultValue: () => ({
    wallet: { throttledAbove: 0.5, stoppedAbove: 2 },
    owner: { throttledAbove: 2, stoppedAbove: 5 },
    projectUsdE6PerDay: 50_000_000n,
    operatorUsdE6PerDay: 200_000_000n
  })
})
