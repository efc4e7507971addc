import { DECAY_MS, decayedAtMs, levelOf, remainingMs, type Weight } from "./decay.ts"
import type { LossScope } from "./Loss.ts"
import type { CountLimit, LossLimits } from "./LossLimits.ts"

/** One or more losses of about the same time. */
export interface CountedLoss {
  readonly atMs: number
  readonly count: number
  /** Millionths of a US dollar, without the losses whose price is unknown. */
  readonly usdE6: bigint
  /** The number of losses whose price is unknown. */
  readonly unpriced: number
}

/** A wallet's and its owner's losses, on account of which any operation of the wallet may be refused. */
export type ScopedLosses = Readonly<Record<"wallet" | "owner", ReadonlyArray<CountedLoss>>>

/** An operation is accepted at most once in this time, for the wallet or for all wallets of the owner. */
export interface Turn {
  readonly scope: "wallet" | "owner"
  readonly everyMs: number
}

export interface Refused {
  readonly _tag: "Refused"
  readonly scope: LossScope
  /**
   * STOPPED: lost too much. WAITING: may go on after the wait that follows a loss. UNDER_WAY: what may stay unpaid of other
   * operations is in the way until they have ended. TOO_LARGE: this operation alone is more than a whole budget.
   */
  readonly state: "STOPPED" | "WAITING" | "UNDER_WAY" | "TOO_LARGE"
  readonly retryAfterSeconds: number
}

export type Admission =
  /** Allowed; where there is a turn, only if it is not taken. */
  { readonly _tag: "Allowed"; readonly turn: Turn | null } | Refused

const FIRST_WAIT_MS = 60_000
const LONGEST_WAIT_MS = 3_600_000

const countsOf = (losses: ReadonlyArray<CountedLoss>): ReadonlyArray<Weight> =>
  losses.map(({ atMs, count }) => ({ atMs, weight: BigInt(count) }))

/** A limit as `levelOf` measures it. */
const levelLimit = (count: number): bigint => BigInt(Math.round(count * DECAY_MS))

const isThrottled = (losses: ReadonlyArray<CountedLoss>, { throttledAbove }: CountLimit, nowMs: number): boolean =>
  levelOf(countsOf(losses), nowMs) > levelLimit(throttledAbove)

/** The wait after a loss: twice as long for each one that still counts. */
const waitMs = (losses: ReadonlyArray<CountedLoss>, nowMs: number): number => {
  const counting = losses.filter(({ atMs }) => remainingMs(atMs, nowMs) > 0)
  const number = counting.reduce((sum, { count }) => sum + count, 0)
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.max(0, number - 1))
}

/** The end of the wait after the last loss. */
const waitedAtMs = (losses: ReadonlyArray<CountedLoss>, limit: CountLimit, nowMs: number): number =>
  isThrottled(losses, limit, nowMs)
    ? Math.max(...losses.map(({ atMs }) => Math.min(atMs, nowMs))) + waitMs(losses, nowMs)
    : nowMs

const turnOf = (losses: ScopedLosses, limits: LossLimits, nowMs: number): Turn | null => {
  // The wider one first: it holds for the wallet too.
  for (const scope of ["owner", "wallet"] as const) {
    if (isThrottled(losses[scope], limits[scope], nowMs)) return { scope, everyMs: waitMs(losses[scope], nowMs) }
  }
  return null
}

/** Whether a wallet may have another operation prepared or accepted after its losses and its owner's. */
export const admission = (losses: ScopedLosses, limits: LossLimits, nowMs: number): Admission => {
  const stoppedUntil = (scope: "wallet" | "owner") =>
    decayedAtMs(countsOf(losses[scope]), levelLimit(limits[scope].stoppedAbove), nowMs)
  const refusals = [
    { scope: "wallet", state: "STOPPED", untilMs: stoppedUntil("wallet") },
    { scope: "owner", state: "STOPPED", untilMs: stoppedUntil("owner") },
    { scope: "wallet", state: "WAITING", untilMs: waitedAtMs(losses.wallet, limits.wallet, nowMs) },
    { scope: "owner", state: "WAITING", untilMs: waitedAtMs(losses.owner, limits.owner, nowMs) }
  ] as const
  const last = refusals.reduce((latest, refusal) => (refusal.untilMs > latest.untilMs ? refusal : latest))
  if (last.untilMs <= nowMs) return { _tag: "Allowed", turn: turnOf(losses, limits, nowMs) }
  const retryAfterSeconds = Math.ceil((last.untilMs - nowMs) / 1_000)
  return { _tag: "Refused", scope: last.scope, state: last.state, retryAfterSeconds }
}
