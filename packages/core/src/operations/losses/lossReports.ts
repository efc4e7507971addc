import { DateTime, Effect } from "effect"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { Account } from "../../wallets/registry/index.ts"
import { type Admission, admission, type CountedLoss, type ScopedLosses } from "./admission.ts"
import { type BudgetLosses, budgetRefusal, currentUsdE6, type PendingGas } from "./budgets.ts"
import { DECAY_MS } from "./decay.ts"
import { LossLimits } from "./LossLimits.ts"
import { LossStore, type LossSum } from "./LossStore.ts"
import { type LossAccount, lossAccounts } from "./lossAccounts.ts"

/** The wallet of an operation, and whether a paymaster pays its gas in advance. */
export interface OperationWallet {
  readonly projectId: ProjectId
  readonly account: Pick<Account, "address" | "owner">
  /** False if the account pays in the native token before its calls. Only reverted bundles then count. */
  readonly usesPaymaster: boolean
}

/** The unpaid gas of one wallet on one chain, for operators. */
export interface LossReport extends LossAccount {
  /** The decision about the wallet's next operation, if it has the same cost and pays its gas after the calls. */
  readonly admission: Admission
}

/** A budget for unpaid gas, in millionths of a US dollar. */
export interface Budget {
  readonly usdE6PerDay: bigint
  /** The unpaid gas that counts now, reduced with its age. */
  readonly currentUsdE6: bigint
}

/** Maximum number of entries that a report reads. Also the maximum number of listed wallets. */
const REPORT_LOSSES = 1_000
const REPORT_WALLETS = 50

export const NO_PENDING_GAS: PendingGas = { projectUsdE6: 0n, operatorUsdE6: 0n, hasFirstUse: false }

const countedLoss = ({ at, count, unpriced, usdE6 }: LossSum): CountedLoss => ({
  atMs: DateTime.toEpochMillis(at),
  count,
  usdE6,
  unpriced
})

/** Reads the unpaid gas that counts toward the limits of a wallet and its owner, and toward the budgets. */
export const countedLosses = Effect.map(LossStore, (store) => {
  const decayStartOf = (now: DateTime.Utc) => DateTime.subtract(now, { milliseconds: DECAY_MS })

  const lossesOf = Effect.fnUntraced(function* (
    { account, projectId, usesPaymaster }: OperationWallet,
    now: DateTime.Utc
  ) {
    const readOwnerLosses = (yield* store.ofOwner(projectId, account.owner, decayStartOf(now))).filter(
      ({ cause }) => usesPaymaster || cause === "REVERTED_BUNDLE"
    )
    const losses: ScopedLosses = {
      wallet: readOwnerLosses.filter(({ walletAddress }) => walletAddress === account.address).map(countedLoss),
      owner: readOwnerLosses.map(countedLoss)
    }
    return losses
  })

  const budgetLosses = Effect.fnUntraced(function* (projectId: ProjectId, now: DateTime.Utc) {
    const losses: BudgetLosses = {
      project: (yield* store.sums(projectId, decayStartOf(now))).map(countedLoss),
      operator: (yield* store.sums(null, decayStartOf(now))).map(countedLoss)
    }
    return losses
  })

  return { lossesOf, budgetLosses }
})

/** Reports unpaid gas to operators. */
export const lossReports = Effect.gen(function* () {
  const store = yield* LossStore
  const limits = yield* LossLimits
  const { budgetLosses, lossesOf } = yield* countedLosses

  return {
    report: Effect.fn("Losses.report")(function* (projectId) {
      const now = yield* DateTime.now
      const nowMs = DateTime.toEpochMillis(now)
      const accounts = lossAccounts(yield* store.listLatest(projectId, REPORT_LOSSES), nowMs)
      return yield* Effect.forEach(
        accounts.slice(0, REPORT_WALLETS),
        Effect.fnUntraced(function* (account) {
          const customer: OperationWallet = {
            projectId: account.projectId,
            account: { address: account.walletAddress, owner: account.owner },
            usesPaymaster: true
          }
          const walletAdmission = admission(yield* lossesOf(customer, now), limits, nowMs)
          const likeBefore = { usdE6: account.usdE6 / BigInt(account.count), isFirstUse: true }
          const lossesByBudget = yield* budgetLosses(account.projectId, now)
          const report: LossReport = {
            ...account,
            admission:
              walletAdmission._tag === "Refused"
                ? walletAdmission
                : (budgetRefusal(lossesByBudget, NO_PENDING_GAS, likeBefore, limits, nowMs) ?? walletAdmission)
          }
          return report
        })
      )
    }),
    budgets: Effect.fn("Losses.budgets")(function* (projectId) {
      const now = yield* DateTime.now
      const losses = yield* budgetLosses(projectId, now)
      const currentLossE6 = (subjectLosses: BudgetLosses["project"]) =>
        currentUsdE6(subjectLosses, DateTime.toEpochMillis(now))
      return {
        project: { usdE6PerDay: limits.projectUsdE6PerDay, currentUsdE6: currentLossE6(losses.project) },
        operator: { usdE6PerDay: limits.operatorUsdE6PerDay, currentUsdE6: currentLossE6(losses.operator) }
      }
    })
  }
})
