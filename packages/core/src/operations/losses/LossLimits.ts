import { Context } from "effect"

/** Limits for the number of unpaid gas entries of a wallet or owner. The weight of an entry decreases with its age. */
export interface CountLimit {
  /** Above this number, only one operation at a time is accepted, with a delay after each entry. */
  readonly throttledAbove: number
  /** Above this number, no operation is accepted. */
  readonly stoppedAbove: number
}

/** The maximum unpaid gas before operations are rejected. */
export interface LossLimits {
  readonly wallet: CountLimit
  readonly owner: CountLimit
  /**
   * The maximum unpaid gas per day, of a project and of all projects, in millionths of a US dollar, averaged over two
   * days. At 0, operations are rejected if their gas could stay unpaid.
   */
  readonly projectUsdE6PerDay: bigint
  readonly operatorUsdE6PerDay: bigint
}

/** The limits of this process. The operator sets the budgets. */
export const LossLimits = Context.Reference<LossLimits>("@countersign/core/losses/LossLimits", {
  defaultValue: () => ({
    wallet: { throttledAbove: 0.5, stoppedAbove: 2 },
    owner: { throttledAbove: 2, stoppedAbove: 5 },
    projectUsdE6PerDay: 50_000_000n,
    operatorUsdE6PerDay: 200_000_000n
  })
})
