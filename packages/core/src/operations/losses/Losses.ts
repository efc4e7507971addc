import { Context, DateTime, Effect, Layer } from "effect"
import { HistoryStore } from "../../accounting/history/index.ts"
import type { Address, Hash32 } from "../../foundation/primitives/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { Account } from "../../wallets/registry/index.ts"
import { type Admission, admission, type CountedLoss, type Refused, type ScopedLosses } from "./admission.ts"
import { type BudgetLosses, budgetRefusal, UNDER_WAY_SECONDS, type UnderWay } from "./budgets.ts"
import { DECAY_MS } from "./decay.ts"
import { UnpaidGasLimit } from "./errors.ts"
import { LossLimits } from "./LossLimits.ts"
import { LossStore, type LossSubject, type LossSum } from "./LossStore.ts"
import { type LossAccount, lossAccounts } from "./lossAccounts.ts"
import { lossOf, lossOfReverted, type QuotedOperation, type SettledOperation } from "./lossOf.ts"
import type { UnpaidGas } from "./UnpaidGas.ts"

/** The wallet that wants an operation, and whether a paymaster advances its gas. */
export interface LossCustomer {
  readonly projectId: ProjectId
  readonly account: Pick<Account, "address" | "owner">
  /** False where the account pays in the chain's coin, before its calls: then only reverted bundles count. */
  readonly usesPaymaster: boolean
}

/** The losses of one wallet on one chain, as an operator sees them. */
export interface LossReport extends LossAccount {
  /** The answer to the wallet's next operation that pays its gas afterwards and may cost as much. */
  readonly admission: Admission
}

/** Losses from which a report is made, and the most wallets that it tells of. */
const REPORT_LOSSES = 1_000
const REPORT_WALLETS = 50

const NOTHING_UNDER_WAY: UnderWay = { projectUsdE6: 0n, operatorUsdE6: 0n, hasFirstUse: false }

const counted = ({ at, count, unpriced, usdE6 }: LossSum): CountedLoss => ({
  atMs: DateTime.toEpochMillis(at),
  count,
  usdE6,
  unpriced
})

/** Unpaid gas: counts it, reports it, forgives it, and refuses operations because of it. */
export class Losses extends Context.Service<
  Losses,
  {
    /** Counts what an operation in a block has cost without paying. One that paid takes back what was counted of it. */
    readonly settle: (settled: SettledOperation) => Effect.Effect<void>
    /**
     * Counts what the operator has paid, in wei and in all, for transactions that reverted because of an operation. At 0
     * it takes back what was counted.
     */
    readonly settleReverted: (quoted: QuotedOperation, wei: bigint) => Effect.Effect<void>
    /** Refuses to prepare an operation for a wallet or owner with too much unpaid gas, or one that must wait. */
    readonly admit: (customer: LossCustomer) => Effect.Effect<void, UnpaidGasLimit>
    /** The same before an operation is accepted, which takes the turn of a throttled wallet or owner. */
    readonly admitOperation: (customer: LossCustomer, hash: Hash32) => Effect.Effect<void, UnpaidGasLimit>
    /**
     * Refuses an operation that may leave more gas unpaid than the budgets of its project and of all projects have left,
     * beside what others under way may. Without these it is a forecast.
     */
    readonly admitUnpaid: (
      projectId: ProjectId,
      unpaid: UnpaidGas,
      underWay?: UnderWay
    ) => Effect.Effect<void, UnpaidGasLimit>
    /** The wallets with the latest losses, in one project or in all. */
    readonly report: (projectId: ProjectId | null) => Effect.Effect<ReadonlyArray<LossReport>>
    /** Forgives losses: they don't count any more. Answers how many. */
    readonly forgive: (subject: LossSubject) => Effect.Effect<number>
  }
>()("@countersign/core/losses/Losses") {
  static readonly layer = Layer.effect(
    Losses,
    Effect.gen(function* () {
      const store = yield* LossStore
      const history = yield* HistoryStore
      const limits = yield* LossLimits

      const sinceOf = (now: DateTime.Utc) => DateTime.subtract(now, { milliseconds: DECAY_MS })

      const lossesOf = Effect.fnUntraced(function* (
        { account, projectId, usesPaymaster }: LossCustomer,
        now: DateTime.Utc
      ) {
        const ofOwner = (yield* store.ofOwner(projectId, account.owner, sinceOf(now))).filter(
          ({ cause }) => usesPaymaster || cause === "REVERTED_BUNDLE"
        )
        const losses: ScopedLosses = {
          wallet: ofOwner.filter(({ walletAddress }) => walletAddress === account.address).map(counted),
          owner: ofOwner.map(counted)
        }
        return losses
      })

      const budgetLosses = Effect.fnUntraced(function* (projectId: ProjectId, now: DateTime.Utc) {
        const losses: BudgetLosses = {
          project: (yield* store.sums(projectId, sinceOf(now))).map(counted),
          operator: (yield* store.sums(null, sinceOf(now))).map(counted)
        }
        return losses
      })

      const limitOf = ({ retryAfterSeconds, scope, state }: Refused) =>
        new UnpaidGasLimit({ scope, state, retryAfterSeconds })

      const requireAdmission = Effect.fnUntraced(function* (customer: LossCustomer, now: DateTime.Utc) {
        const decision = admission(yield* lossesOf(customer, now), limits, DateTime.toEpochMillis(now))
        return decision._tag === "Allowed" ? decision.turn : yield* limitOf(decision)
      })

      const hasOperationUnderWay = (projectId: ProjectId, walletAddress: Address) =>
        Effect.map(
          history.list({ projectId, walletAddress, filter: { statuses: ["PROCESSING"] }, after: null, take: 1 }),
          (transactions) => transactions.length > 0
        )

      return Losses.of({
        settle: Effect.fnUntraced(function* (settled) {
          const { intent, quote } = settled
          if (intent.operation.paymaster === null) return
          const loss = lossOf(settled, yield* DateTime.now)
          yield* loss === null ? store.withdraw(quote.projectId, intent.hash, "UNPAID_OPERATION") : store.append(loss)
        }),
        settleReverted: Effect.fn("Losses.settleReverted")(function* (quoted, wei) {
          yield* wei === 0n
            ? store.withdraw(quoted.quote.projectId, quoted.intent.hash, "REVERTED_BUNDLE")
            : store.append(lossOfReverted(quoted, wei, yield* DateTime.now))
        }),
        admit: Effect.fn("Losses.admit")(function* (customer) {
          yield* requireAdmission(customer, yield* DateTime.now)
        }),
        admitOperation: Effect.fn("Losses.admitOperation")(function* (customer, hash) {
          const now = yield* DateTime.now
          const turn = yield* requireAdmission(customer, now)
          if (turn === null) return
          const { account, projectId } = customer
          const { everyMs, scope } = turn
          const busy = (retryAfterSeconds: number) => new UnpaidGasLimit({ scope, state: "BUSY", retryAfterSeconds })
          if (yield* hasOperationUnderWay(projectId, account.address)) return yield* busy(UNDER_WAY_SECONDS)
          // Two requests at once both see that nothing is under way: the turn is for one of them.
          const hasTurn = yield* store.takeTurn({
            projectId,
            scope,
            address: scope === "wallet" ? account.address : account.owner,
            hash,
            now,
            lastBefore: DateTime.subtract(now, { milliseconds: everyMs })
          })
          if (!hasTurn) return yield* busy(Math.ceil(everyMs / 1_000))
        }),
        admitUnpaid: Effect.fn("Losses.admitUnpaid")(function* (projectId, unpaid, underWay = NOTHING_UNDER_WAY) {
          const now = yield* DateTime.now
          const losses = yield* budgetLosses(projectId, now)
          const refusal = budgetRefusal(losses, underWay, unpaid, limits, DateTime.toEpochMillis(now))
          if (refusal !== null) return yield* limitOf(refusal)
        }),
        report: Effect.fn("Losses.report")(function* (projectId) {
          const now = yield* DateTime.now
          const nowMs = DateTime.toEpochMillis(now)
          const accounts = lossAccounts(yield* store.listLatest(projectId, REPORT_LOSSES), nowMs)
          return yield* Effect.forEach(
            accounts.slice(0, REPORT_WALLETS),
            Effect.fnUntraced(function* (account) {
              const customer: LossCustomer = {
                projectId: account.projectId,
                account: { address: account.walletAddress, owner: account.owner },
                usesPaymaster: true
              }
              const ofWallet = admission(yield* lossesOf(customer, now), limits, nowMs)
              const likeBefore = { usdE6: account.usdE6 / BigInt(account.count), isFirstUse: true }
              const ofBudgets = yield* budgetLosses(account.projectId, now)
              const report: LossReport = {
                ...account,
                admission:
                  ofWallet._tag === "Refused"
                    ? ofWallet
                    : (budgetRefusal(ofBudgets, NOTHING_UNDER_WAY, likeBefore, limits, nowMs) ?? ofWallet)
              }
              return report
            })
          )
        }),
        forgive: Effect.fn("Losses.forgive")(function* (subject) {
          return yield* store.forgive(subject, yield* DateTime.now)
        })
      })
    })
  )
}
