import { Context } from "effect"

/** Limits for the number of unpaid gas entries of a wallet or owner. The weight of an entry decreases with its age. */
export interface CountLimit {
  /** Above this weighted number, operations are accepted one at a time, with a delay after each entry. */
  readonly throttledAbove: number
  /** Above this weighted number, no operation is accepted. */
  readonly stoppedAbove: number
}

/** The limits for unpaid gas above which operations are rejected. */
export interface UnpaidGasLimits {
  readonly wallet: CountLimit
  readonly owner: CountLimit
  /**
   * Maximum unpaid gas per day for a project and for all projects, in millionths of a US dollar, averaged over two
   * days. If 0, operations whose gas could stay unpaid are rejected.
   */
  readonly projectUsdE6PerDay: bigint
  readonly operatorUsdE6PerDay: bigint
}

/** The limits in this process. The operator sets the budgets. */
export const UnpaidGasLimits = Context.Reference<UnpaidGasLimits>("@countersign/core/unpaid-gas/LossLimits", {
  defaultValue: () => ({
    wallet: { throttledAbove: 0.5, stoppedAbove: 2 },
    owner: { throttledAbove: 2, stoppedAbove: 5 },
    projectUsdE6PerDay: 50_000_000n,
    operatorUsdE6PerDay: 200_000_000n
  })
})
