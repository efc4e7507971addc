import { Context, DateTime, Effect, Layer } from "effect"
import { HistoryStore } from "../../accounting/history/index.ts"
import type { Address, Hash32 } from "../../foundation/primitives/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import { admission, type RejectedOperation } from "./admission.ts"
import { budgetRefusal, PENDING_SECONDS, type PendingGas } from "./budgets.ts"
import { UnpaidGasLimit } from "./errors.ts"
import { LossLimits } from "./LossLimits.ts"
import { LossStore, type LossSubject } from "./LossStore.ts"
import { lossOf, lossOfReverted, type QuotedOperation, type SettledOperation } from "./lossOf.ts"
import {
  type Budget,
  countedLosses,
  type LossReport,
  lossReports,
  NO_PENDING_GAS,
  type OperationWallet
} from "./lossReports.ts"
import type { UnpaidGas } from "./UnpaidGas.ts"

/** Records, reports and forgives unpaid gas, and rejects operations because of it. */
export class Losses extends Context.Service<
  Losses,
  {
    /**
     * Adds the gas of an included operation to its paymaster's costs, and records the unpaid part. Deletes the record
     * if the operation was fully paid.
     */
    readonly settle: (settled: SettledOperation) => Effect.Effect<void>
    /**
     * Records the operator's total cost in wei for transactions that reverted because of an operation. Deletes the
     * record if the cost is 0.
     */
    readonly settleReverted: (quotedOperation: QuotedOperation, wei: bigint) => Effect.Effect<void>
    /** Rejects the preparation of an operation if the wallet or owner has too much unpaid gas, or must wait. */
    readonly admit: (customer: OperationWallet) => Effect.Effect<void, UnpaidGasLimit>
    /**
     * Does the same as `admit`, before the acceptance of an operation. Takes the turn if the wallet or owner is
     * throttled.
     */
    readonly admitOperation: (customer: OperationWallet, hash: Hash32) => Effect.Effect<void, UnpaidGasLimit>
    /**
     * Rejects an operation that may leave more gas unpaid than remains in the budgets of its project and of all
     * projects. `pendingGas` of pending operations counts against the budgets. Without it, the result is a forecast.
     */
    readonly admitUnpaid: (
      projectId: ProjectId,
      unpaid: UnpaidGas,
      pendingGas?: PendingGas
    ) => Effect.Effect<void, UnpaidGasLimit>
    /** Returns the wallets with the latest unpaid gas, in one project or in all projects. */
    readonly report: (projectId: ProjectId | null) => Effect.Effect<ReadonlyArray<LossReport>>
    /** Returns the daily budgets for unpaid gas, of a project and of all projects. */
    readonly budgets: (projectId: ProjectId) => Effect.Effect<{ readonly project: Budget; readonly operator: Budget }>
    /** Forgives unpaid gas, so that it no longer counts toward the limits. Returns the number of entries. */
    readonly forgive: (subject: LossSubject) => Effect.Effect<number>
  }
>()("@countersign/core/losses/Losses") {
  static readonly layer = Layer.effect(
    Losses,
    Effect.gen(function* () {
      const store = yield* LossStore
      const history = yield* HistoryStore
      const limits = yield* LossLimits

      const { budgetLosses, lossesOf } = yield* countedLosses
      const { budgets, report } = yield* lossReports

      const limitOf = ({ retryAfterSeconds, scope, state }: RejectedOperation) =>
        new UnpaidGasLimit({ scope, state, retryAfterSeconds })

      const requireAdmission = Effect.fnUntraced(function* (customer: OperationWallet, now: DateTime.Utc) {
        const decision = admission(yield* lossesOf(customer, now), limits, DateTime.toEpochMillis(now))
        return decision._tag === "Allowed" ? decision.turn : yield* limitOf(decision)
      })

      const hasPendingOperation = (projectId: ProjectId, walletAddress: Address) =>
        Effect.map(
          history.list({ projectId, walletAddress, filter: { statuses: ["PROCESSING"] }, after: null, take: 1 }),
          (transactions) => transactions.length > 0
        )

      return Losses.of({
        settle: Effect.fnUntraced(function* (settled) {
          const { intent, outcome, quote } = settled
          const { chainId, paymaster } = intent.operation
          if (paymaster === null) return
          const now = yield* DateTime.now
          const loss = lossOf(settled, now)
          yield* store.recordCost({
            chainId,
            payer: paymaster.address,
            wei: outcome.actualGasCost,
            operation: intent.hash,
            at: now
          })
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
          const busyError = (retryAfterSeconds: number) =>
            new UnpaidGasLimit({ scope, state: "BUSY", retryAfterSeconds })
          if (yield* hasPendingOperation(projectId, account.address)) return yield* busyError(PENDING_SECONDS)
          // Two concurrent requests may both find no pending operation, but only one of them gets the turn.
          const hasTurn = yield* store.takeTurn({
            projectId,
            scope,
            address: scope === "wallet" ? account.address : account.owner,
            hash,
            now,
            lastBefore: DateTime.subtract(now, { milliseconds: everyMs })
          })
          if (!hasTurn) return yield* busyError(Math.ceil(everyMs / 1_000))
        }),
        admitUnpaid: Effect.fn("Losses.admitUnpaid")(function* (projectId, unpaid, pendingGas = NO_PENDING_GAS) {
          const now = yield* DateTime.now
          const losses = yield* budgetLosses(projectId, now)
          const refusal = budgetRefusal(losses, pendingGas, unpaid, limits, DateTime.toEpochMillis(now))
          if (refusal !== null) return yield* limitOf(refusal)
        }),
        report,
        budgets,
        forgive: Effect.fn("Losses.forgive")(function* (subject) {
          return yield* store.forgive(subject, yield* DateTime.now)
        })
      })
    })
  )
}
