import { DateTime, Effect } from "effect"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { Account } from "../../wallets/registry/index.ts"
import { type Admission, type CountedGasEntry, decideAdmission, type ScopedGasEntries } from "./admission.ts"
import { type BudgetGasEntries, budgetRefusal, currentUsdE6, type PendingGas } from "./budgets.ts"
import { DECAY_MS } from "./decay.ts"
import { UnpaidGasLimits } from "./UnpaidGasLimits.ts"
import { UnpaidGasStore, type UnpaidGasSum } from "./UnpaidGasStore.ts"
import { type UnpaidGasAccount, unpaidGasAccounts } from "./unpaidGasAccounts.ts"

/** The wallet of an operation, and whether a paymaster pays its gas in advance. */
export interface OperationWallet {
  readonly projectId: ProjectId
  readonly account: Pick<Account, "address" | "owner">
  /** False if the account pays in the native token before its calls. Only reverted bundles then count. */
  readonly usesPaymaster: boolean
}

/** The unpaid gas of one wallet on one chain, for operators. */
export interface UnpaidGasReport extends UnpaidGasAccount {
  /** The decision about the wallet's next operation, if it has the same cost and pays its gas after the calls. */
  readonly admission: Admission
}

/** A budget for unpaid gas, in millionths of a US dollar. */
export interface Budget {
  readonly usdE6PerDay: bigint
  /** The unpaid gas that counts now, reduced with its age. */
  readonly currentUsdE6: bigint
}

/** Maximum number of entries that a report reads, and maximum number of wallets that it lists. */
const MAX_REPORT_ENTRIES = 1_000
const REPORT_WALLETS = 50

export const NO_PENDING_GAS: PendingGas = { projectUsdE6: 0n, operatorUsdE6: 0n, hasFirstUse: false }

const countedGasEntryOf = ({ at, count, unpriced, usdE6 }: UnpaidGasSum): CountedGasEntry => ({
  atMs: DateTime.toEpochMillis(at),
  count,
  usdE6,
  unpriced
})

/** Reads the unpaid gas that counts toward the limits of a wallet and its owner, and toward the budgets. */
export const countedGasEntries = Effect.map(UnpaidGasStore, (store) => {
  const decayStartOf = (now: DateTime.Utc) => DateTime.subtract(now, { milliseconds: DECAY_MS })

  const gasEntriesOf = Effect.fnUntraced(function* (
    { account, projectId, usesPaymaster }: OperationWallet,
    now: DateTime.Utc
  ) {
    const ownerGasEntries = (yield* store.listByOwner(projectId, account.owner, decayStartOf(now))).filter(
      ({ cause }) => usesPaymaster || cause === "REVERTED_BUNDLE"
    )
    const gasEntries: ScopedGasEntries = {
      wallet: ownerGasEntries.filter(({ walletAddress }) => walletAddress === account.address).map(countedGasEntryOf),
      owner: ownerGasEntries.map(countedGasEntryOf)
    }
    return gasEntries
  })

  const readBudgetGasEntries = Effect.fnUntraced(function* (projectId: ProjectId, now: DateTime.Utc) {
    const gasEntries: BudgetGasEntries = {
      project: (yield* store.readSums(projectId, decayStartOf(now))).map(countedGasEntryOf),
      operator: (yield* store.readSums(null, decayStartOf(now))).map(countedGasEntryOf)
    }
    return gasEntries
  })

  return { gasEntriesOf, budgetGasEntries: readBudgetGasEntries }
})

/** Reports unpaid gas to operators. */
export const unpaidGasReports = Effect.gen(function* () {
  const store = yield* UnpaidGasStore
  const limits = yield* UnpaidGasLimits
  const { budgetGasEntries, gasEntriesOf } = yield* countedGasEntries

  return {
    report: Effect.fn("UnpaidGasLedger.report")(function* (projectId) {
      const now = yield* DateTime.now
      const nowMs = DateTime.toEpochMillis(now)
      const accounts = unpaidGasAccounts(yield* store.listLatest(projectId, MAX_REPORT_ENTRIES), nowMs)
      return yield* Effect.forEach(
        accounts.slice(0, REPORT_WALLETS),
        Effect.fnUntraced(function* (account) {
          const operationWallet: OperationWallet = {
            projectId: account.projectId,
            account: { address: account.walletAddress, owner: account.owner },
            usesPaymaster: true
          }
          const walletAdmission = decideAdmission(yield* gasEntriesOf(operationWallet, now), limits, nowMs)
          const nextOperation = { usdE6: account.usdE6 / BigInt(account.count), isFirstUse: true }
          const gasEntriesByBudget = yield* budgetGasEntries(account.projectId, now)
          const report: UnpaidGasReport = {
            ...account,
            admission:
              walletAdmission._tag === "Refused"
                ? walletAdmission
                : (budgetRefusal(gasEntriesByBudget, NO_PENDING_GAS, nextOperation, limits, nowMs) ?? walletAdmission)
          }
          return report
        })
      )
    }),
    budgets: Effect.fn("UnpaidGasLedger.budgets")(function* (projectId) {
      const now = yield* DateTime.now
      const gasEntries = yield* budgetGasEntries(projectId, now)
      const currentUsdE6Of = (subjectGasEntries: BudgetGasEntries["project"]) =>
        currentUsdE6(subjectGasEntries, DateTime.toEpochMillis(now))
      return {
        project: { usdE6PerDay: limits.projectUsdE6PerDay, currentUsdE6: currentUsdE6Of(gasEntries.project) },
        operator: { usdE6PerDay: limits.operatorUsdE6PerDay, currentUsdE6: currentUsdE6Of(gasEntries.operator) }
      }
    })
  }
})
