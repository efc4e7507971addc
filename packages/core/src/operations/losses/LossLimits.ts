import { Context } from "effect"

/** Limits for the number of losses of a wallet or an owner, of which older ones count less. */
export interface CountLimit {
  /** Above it: one operation at a time, and a wait after each loss. */
  readonly throttledAbove: number
  /** Above it: none. */
  readonly stoppedAbove: number
}

/** How much may be lost before operations are refused. */
export interface LossLimits {
  readonly wallet: CountLimit
  readonly owner: CountLimit
  /**
   * Millionths of a US dollar that a project, and all projects together, may leave unpaid in a day, on average of two. At
   * 0 no operation is accepted whose gas could stay unpaid.
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
