import type { CountedGasEntry, RejectedOperation } from "./admission.ts"
import { DECAY_MS, decayedAtMs, levelOf, type Weight } from "./decay.ts"
import type { UnpaidGasLimits } from "./UnpaidGasLimits.ts"

/** The assumed value of an entry whose price is unknown. Zero would let such entries bypass the budget. */
export const UNPRICED_USD_E6 = 1_000_000n

/** Retry delay in seconds if an operation was rejected because of pending operations. */
export const PENDING_SECONDS = 10

/**
 * Retry delay in seconds for an operation that exceeds a budget by itself. A retry can succeed, because the native
 * token's price or the budget may change.
 */
const TOO_LARGE_SECONDS = 86_400

/** Gas that pending operations may leave unpaid, in millionths of a US dollar. */
export interface PendingGas {
  readonly projectUsdE6: bigint
  readonly operatorUsdE6: bigint
  /** Whether the same owner has a pending first use of a gas token, in any project. */
  readonly hasFirstUse: boolean
}

/** The unpaid gas that counts toward the budgets of the project and of all projects. */
export type BudgetGasEntries = Readonly<Record<"project" | "operator", ReadonlyArray<CountedGasEntry>>>

const dollarsOf = (gasEntries: ReadonlyArray<CountedGasEntry>): ReadonlyArray<Weight> =>
  gasEntries.map(({ atMs, unpriced, usdE6 }) => ({ atMs, weight: usdE6 + BigInt(unpriced) * UNPRICED_USD_E6 }))

/** Returns the amount that counts toward a budget now, in millionths of a US dollar. */
export const currentUsdE6 = (gasEntries: ReadonlyArray<CountedGasEntry>, nowMs: number): bigint =>
  levelOf(dollarsOf(gasEntries), nowMs) / BigInt(DECAY_MS)

const refuse = (
  scope: RejectedOperation["scope"],
  state: RejectedOperation["state"],
  seconds: number
): RejectedOperation => ({
  _tag: "Refused",
  scope,
  state,
  retryAfterSeconds: Math.max(seconds, PENDING_SECONDS)
})

/**
 * Returns the rejection by one budget. Null if the budget covers the sum of unpaid gas, pending operations and this
 * operation.
 */
const refusalOf = (
  scope: "project" | "operator",
  gasEntries: ReadonlyArray<CountedGasEntry>,
  { budgetUsdE6, pendingUsdE6, usdE6 }: Readonly<Record<"budgetUsdE6" | "pendingUsdE6" | "usdE6", bigint>>,
  nowMs: number
): RejectedOperation | null => {
  const dollars = dollarsOf(gasEntries)
  const remainingE6 = budgetUsdE6 - usdE6
  const limit = remainingE6 * BigInt(DECAY_MS)
  if (remainingE6 < 0n) return refuse(scope, "TOO_LARGE", TOO_LARGE_SECONDS)
  if (levelOf(dollars, nowMs) <= limit) {
    const isFree = levelOf(dollars, nowMs) + pendingUsdE6 * BigInt(DECAY_MS) <= limit
    return isFree ? null : refuse(scope, "PENDING", PENDING_SECONDS)
  }
  return refuse(scope, "STOPPED", Math.ceil((decayedAtMs(dollars, limit, nowMs) - nowMs) / 1_000))
}

/**
 * Returns the rejection of an operation whose gas may stay unpaid. Null if the budgets cover it. A first use of a gas
 * token is also rejected if the owner has another pending one.
 */
export const budgetRefusal = (
  gasEntries: BudgetGasEntries,
  pendingGas: PendingGas,
  { isFirstUse, usdE6 }: { readonly isFirstUse: boolean; readonly usdE6: bigint },
  limits: Pick<UnpaidGasLimits, "projectUsdE6PerDay" | "operatorUsdE6PerDay">,
  nowMs: number
): RejectedOperation | null => {
  const { hasFirstUse, operatorUsdE6, projectUsdE6 } = pendingGas
  const project = { budgetUsdE6: limits.projectUsdE6PerDay, pendingUsdE6: projectUsdE6, usdE6 }
  const operator = { budgetUsdE6: limits.operatorUsdE6PerDay, pendingUsdE6: operatorUsdE6, usdE6 }
  const refusals = [
    refusalOf("project", gasEntries.project, project, nowMs),
    refusalOf("operator", gasEntries.operator, operator, nowMs),
    isFirstUse && hasFirstUse ? refuse("owner", "PENDING", PENDING_SECONDS) : null
  ].filter((refusal) => refusal !== null)
  return refusals.toSorted((a, b) => b.retryAfterSeconds - a.retryAfterSeconds)[0] ?? null
}
