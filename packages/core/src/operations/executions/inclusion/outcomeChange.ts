import { Context, DateTime } from "effect"
import type { Leg, Movement, Transaction } from "../../../accounting/history/index.ts"
import type { OperationOutcome } from "../../user-operations/index.ts"
import type { Change } from "../Stage.ts"

export const failureChange =
  (code: string, message: string): Change =>
  (transaction) => ({ ...transaction, status: "FAILED", substatus: code, failure: { code, message } })

/** Returns the transaction's legs with the outcome's block in the leg of this stage. */
const legsWithBlock = (transaction: Transaction, stage: number, outcome: OperationOutcome): ReadonlyArray<Leg> =>
  transaction.legs.map((leg) =>
    leg.stage === stage
      ? {
          ...leg,
          hash: outcome.transactionHash,
          block: { number: outcome.blockNumber, hash: outcome.blockHash },
          state: "INCLUDED"
        }
      : leg
  )

/** Adds a feature's details to a transaction, based on the outcome of its operation. */
export type OutcomeReader = (transaction: Transaction, outcome: OperationOutcome) => Transaction

/** The functions of all features that read details from an outcome. */
export const OutcomeReaders = Context.Reference<ReadonlyArray<OutcomeReader>>(
  "@countersign/core/executions/OutcomeReaders",
  { defaultValue: () => [] }
)

/**
 * Returns the transaction after the inclusion of a stage's operation. It stays pending if another operation follows.
 */
export const settlementChange =
  (
    stage: number,
    outcome: OperationOutcome,
    movements: ReadonlyArray<Movement>,
    isAwaited: boolean,
    readers: ReadonlyArray<OutcomeReader>
  ): Change =>
  (transaction) => {
    const transactionWithOutcome: Transaction = {
      ...readers.reduce((transactionSoFar, read) => read(transactionSoFar, outcome), transaction),
      legs: legsWithBlock(transaction, stage, outcome),
      movements: [...transaction.movements, ...movements]
    }
    if (isAwaited) return transactionWithOutcome
    const includedTransaction: Transaction = {
      ...transactionWithOutcome,
      substatus: "INCLUDED",
      executedAt: DateTime.makeUnsafe(outcome.blockTimestamp * 1000)
    }
    return outcome.success
      ? includedTransaction
      : failureChange(
          "REVERTED",
          outcome.revert?.decoded ?? "The operation reverted without a reason"
        )(includedTransaction)
  }
