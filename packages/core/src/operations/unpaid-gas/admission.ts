import { DECAY_MS, decayedAtMs, levelOf, remainingMs, type Weight } from "./decay.ts"
import type { UnpaidGasScope } from "./UnpaidGasEntry.ts"
import type { CountLimit, UnpaidGasLimits } from "./UnpaidGasLimits.ts"

/** One or more entries of unpaid gas with similar times. */
export interface CountedGasEntry {
  readonly atMs: number
  readonly count: number
  /** Millionths of a US dollar. Excludes entries with an unknown price. */
  readonly usdE6: bigint
  /** Number of entries with an unknown price. */
  readonly unpriced: number
}

/** The unpaid gas of a wallet and of its owner, which can lead to the rejection of the wallet's operations. */
export type ScopedGasEntries = Readonly<Record<"wallet" | "owner", ReadonlyArray<CountedGasEntry>>>

/** The minimum interval between two accepted operations of the wallet, or of all wallets of the owner. */
export interface Throttle {
  readonly scope: "wallet" | "owner"
  readonly everyMs: number
}

export interface RejectedOperation {
  readonly _tag: "Refused"
  readonly scope: UnpaidGasScope
  /**
   * STOPPED: too much unpaid gas. WAITING: the delay after an entry has not passed. PENDING: pending operations may
   * leave too much gas unpaid, or the owner has a pending first use of a gas token. TOO_LARGE: the operation exceeds a
   * budget by itself.
   */
  readonly state: "STOPPED" | "WAITING" | "PENDING" | "TOO_LARGE"
  readonly retryAfterSeconds: number
}

export type Admission =
  /** The operation is allowed. If `turn` is set, only if no other operation has taken the turn. */
  { readonly _tag: "Allowed"; readonly turn: Throttle | null } | RejectedOperation

const FIRST_WAIT_MS = 60_000
const MAX_WAIT_MS = 3_600_000

const countsOf = (gasEntries: ReadonlyArray<CountedGasEntry>): ReadonlyArray<Weight> =>
  gasEntries.map(({ atMs, count }) => ({ atMs, weight: BigInt(count) }))

/** Converts a limit to the unit of `levelOf`. */
const levelLimit = (count: number): bigint => BigInt(Math.round(count * DECAY_MS))

const isThrottled = (
  gasEntries: ReadonlyArray<CountedGasEntry>,
  { throttledAbove }: CountLimit,
  nowMs: number
): boolean => levelOf(countsOf(gasEntries), nowMs) > levelLimit(throttledAbove)

/** Returns the delay after an entry. It doubles with each entry that still counts, up to `MAX_WAIT_MS`. */
const waitMs = (gasEntries: ReadonlyArray<CountedGasEntry>, nowMs: number): number => {
  const countedGasEntries = gasEntries.filter(({ atMs }) => remainingMs(atMs, nowMs) > 0)
  const number = countedGasEntries.reduce((sum, { count }) => sum + count, 0)
  return Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.max(0, number - 1))
}

/** Returns the end of the delay after the last entry. The current time if the limit for throttling is not exceeded. */
const waitEndsAtMs = (gasEntries: ReadonlyArray<CountedGasEntry>, limit: CountLimit, nowMs: number): number =>
  isThrottled(gasEntries, limit, nowMs)
    ? Math.max(...gasEntries.map(({ atMs }) => Math.min(atMs, nowMs))) + waitMs(gasEntries, nowMs)
    : nowMs

const throttlingOf = (gasEntries: ScopedGasEntries, limits: UnpaidGasLimits, nowMs: number): Throttle | null => {
  // The owner's limit is checked first, because it applies to all wallets of the owner.
  for (const scope of ["owner", "wallet"] as const) {
    if (isThrottled(gasEntries[scope], limits[scope], nowMs))
      return { scope, everyMs: waitMs(gasEntries[scope], nowMs) }
  }
  return null
}

/**
 * Decides whether another operation of a wallet may be prepared or accepted, given the unpaid gas of the wallet and its
 * owner.
 */
export const decideAdmission = (gasEntries: ScopedGasEntries, limits: UnpaidGasLimits, nowMs: number): Admission => {
  const stoppedUntil = (scope: "wallet" | "owner") =>
    decayedAtMs(countsOf(gasEntries[scope]), levelLimit(limits[scope].stoppedAbove), nowMs)
  const refusals = [
    { scope: "wallet", state: "STOPPED", untilMs: stoppedUntil("wallet") },
    { scope: "owner", state: "STOPPED", untilMs: stoppedUntil("owner") },
    { scope: "wallet", state: "WAITING", untilMs: waitEndsAtMs(gasEntries.wallet, limits.wallet, nowMs) },
    { scope: "owner", state: "WAITING", untilMs: waitEndsAtMs(gasEntries.owner, limits.owner, nowMs) }
  ] as const
  const last = refusals.reduce((latest, refusal) => (refusal.untilMs > latest.untilMs ? refusal : latest))
  if (last.untilMs <= nowMs) return { _tag: "Allowed", turn: throttlingOf(gasEntries, limits, nowMs) }
  const retryAfterSeconds = Math.ceil((last.untilMs - nowMs) / 1_000)
  return { _tag: "Refused", scope: last.scope, state: last.state, retryAfterSeconds }
}
