import { Context, DateTime, Effect, Layer } from "effect"
import { HistoryStore } from "../../accounting/history/index.ts"
import type { Address, Hash32 } from "../../foundation/primitives/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import { decideAdmission, type RejectedOperation } from "./admission.ts"
import { budgetRefusal, PENDING_SECONDS, type PendingGas } from "./budgets.ts"
import { UnpaidGasLimit } from "./errors.ts"
import { gasEntryOf, gasEntryOfReverted, type QuotedOperation, type SettledOperation } from "./gasEntryOf.ts"
import type { MaxUnpaidGas } from "./MaxUnpaidGas.ts"
import { UnpaidGasLimits } from "./UnpaidGasLimits.ts"
import { UnpaidGasStore, type UnpaidGasSubject } from "./UnpaidGasStore.ts"
import {
  type Budget,
  countedGasEntries,
  NO_PENDING_GAS,
  type OperationWallet,
  type UnpaidGasReport,
  unpaidGasReports
} from "./unpaidGasReports.ts"

/** Records, reports and forgives unpaid gas, and rejects operations because of it. */
export class UnpaidGasLedger extends Context.Service<
  UnpaidGasLedger,
  {
    /**
     * Adds the gas of an included operation to its paymaster's costs, and records the unpaid part. Deletes the record
     * if the operation was fully paid. Does nothing if the operation has no paymaster.
     */
    readonly settle: (settledOperation: SettledOperation) => Effect.Effect<void>
    /**
     * Deletes the record of an operation that no block includes. It exists if a reorg removed the block that included
     * the operation.
     */
    readonly settleAbsent: (quotedOperation: QuotedOperation) => Effect.Effect<void>
    /**
     * Records the operator's total cost in wei for transactions that reverted because of an operation. Deletes the
     * record if the cost is 0.
     */
    readonly settleReverted: (quotedOperation: QuotedOperation, wei: bigint) => Effect.Effect<void>
    /** Rejects the preparation of an operation if the wallet or owner has too much unpaid gas, or must wait. */
    readonly admit: (operationWallet: OperationWallet) => Effect.Effect<void, UnpaidGasLimit>
    /**
     * Does the same as `admit`, before the acceptance of an operation. Takes the turn if the wallet or owner is
     * throttled.
     */
    readonly admitOperation: (operationWallet: OperationWallet, hash: Hash32) => Effect.Effect<void, UnpaidGasLimit>
    /**
     * Rejects an operation that may leave more gas unpaid than remains in the budgets of its project and of all
     * projects. `pendingGas`, the gas that pending operations may leave unpaid, also counts. If it is absent, pending
     * operations are ignored.
     */
    readonly admitUnpaid: (
      projectId: ProjectId,
      maxUnpaidGas: MaxUnpaidGas,
      pendingGas?: PendingGas
    ) => Effect.Effect<void, UnpaidGasLimit>
    /** Returns the wallets with the latest unpaid gas, in one project or in all projects. */
    readonly report: (projectId: ProjectId | null) => Effect.Effect<ReadonlyArray<UnpaidGasReport>>
    /** Returns the daily budgets for unpaid gas, of a project and of all projects. */
    readonly readBudgets: (
      projectId: ProjectId
    ) => Effect.Effect<{ readonly project: Budget; readonly operator: Budget }>
    /** Forgives unpaid gas, so that it no longer counts toward the limits. Returns the number of entries. */
    readonly forgive: (subject: UnpaidGasSubject) => Effect.Effect<number>
  }
>()("@countersign/core/unpaid-gas/UnpaidGasLedger") {
  static readonly layer = Layer.effect(
    UnpaidGasLedger,
    Effect.gen(function* () {
      const store = yield* UnpaidGasStore
      const history = yield* HistoryStore
      const limits = yield* UnpaidGasLimits

      const { budgetGasEntries, gasEntriesOf } = yield* countedGasEntries
      const { budgets, report } = yield* unpaidGasReports

      const limitError = ({ retryAfterSeconds, scope, state }: RejectedOperation) =>
        new UnpaidGasLimit({ scope, state, retryAfterSeconds })

      const requireAdmission = Effect.fnUntraced(function* (operationWallet: OperationWallet, now: DateTime.Utc) {
        const decision = decideAdmission(yield* gasEntriesOf(operationWallet, now), limits, DateTime.toEpochMillis(now))
        return decision._tag === "Allowed" ? decision.turn : yield* limitError(decision)
      })

      const hasPendingOperation = (projectId: ProjectId, walletAddress: Address) =>
        Effect.map(
          history.list({ projectId, walletAddress, filter: { statuses: ["PROCESSING"] }, after: null, take: 1 }),
          (transactions) => transactions.length > 0
        )

      return UnpaidGasLedger.of({
        settle: Effect.fnUntraced(function* (settledOperation) {
          const { intent, outcome, quote } = settledOperation
          const { chainId, paymaster } = intent.operation
          if (paymaster === null) return
          const now = yield* DateTime.now
          const gasEntry = gasEntryOf(settledOperation, now)
          yield* store.recordCost({
            chainId,
            payer: paymaster.address,
            wei: outcome.actualGasCost,
            operation: intent.hash,
            at: now
          })
          yield* gasEntry === null
            ? store.remove(quote.projectId, intent.hash, "UNPAID_OPERATION")
            : store.record(gasEntry)
        }),
        settleAbsent: ({ intent, quote }) => store.remove(quote.projectId, intent.hash, "UNPAID_OPERATION"),
        settleReverted: Effect.fn("UnpaidGasLedger.settleReverted")(function* (quotedOperation, wei) {
          yield* wei === 0n
            ? store.remove(quotedOperation.quote.projectId, quotedOperation.intent.hash, "REVERTED_BUNDLE")
            : store.record(gasEntryOfReverted(quotedOperation, wei, yield* DateTime.now))
        }),
        admit: Effect.fn("UnpaidGasLedger.admit")(function* (operationWallet) {
          yield* requireAdmission(operationWallet, yield* DateTime.now)
        }),
        admitOperation: Effect.fn("UnpaidGasLedger.admitOperation")(function* (operationWallet, hash) {
          const now = yield* DateTime.now
          const throttle = yield* requireAdmission(operationWallet, now)
          if (throttle === null) return
          const { account, projectId } = operationWallet
          const { everyMs, scope } = throttle
          const busyError = (retryAfterSeconds: number) =>
            new UnpaidGasLimit({ scope, state: "BUSY", retryAfterSeconds })
          if (yield* hasPendingOperation(projectId, account.address)) return yield* busyError(PENDING_SECONDS)
          // Two concurrent requests may both find no pending operation, but only one of them gets the turn.
          const hasSlot = yield* store.claimThrottleSlot({
            projectId,
            scope,
            address: scope === "wallet" ? account.address : account.owner,
            hash,
            now,
            lastBefore: DateTime.subtract(now, { milliseconds: everyMs })
          })
          if (!hasSlot) return yield* busyError(Math.ceil(everyMs / 1_000))
        }),
        admitUnpaid: Effect.fn("UnpaidGasLedger.admitUnpaid")(function* (
          projectId,
          unpaid,
          pendingGas = NO_PENDING_GAS
        ) {
          const now = yield* DateTime.now
          const gasEntries = yield* budgetGasEntries(projectId, now)
          const refusal = budgetRefusal(gasEntries, pendingGas, unpaid, limits, DateTime.toEpochMillis(now))
          if (refusal !== null) return yield* limitError(refusal)
        }),
        report,
        readBudgets: budgets,
        forgive: Effect.fn("UnpaidGasLedger.forgive")(function* (subject) {
          return yield* store.forgive(subject, yield* DateTime.now)
        })
      })
    })
  )
}
