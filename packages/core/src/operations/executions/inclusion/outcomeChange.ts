import { Context, DateTime } from "effect"
import type { Leg, Movement, Transaction } from "../../../accounting/history/index.ts"
import type { OperationOutcome } from "../../user-operations/index.ts"
import type { Change } from "../Stage.ts"

export const failureChange =
  (code: string, message: string): Change =>
  (transaction) => ({ ...transaction, status: "FAILED", substatus: code, failure: { code, message } })

/** The transaction's legs, with the block of this stage's leg. */
const withBlock = (transaction: Transaction, stage: number, outcome: OperationOutcome): ReadonlyArray<Leg> =>
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

/** Changes a transaction by its operation's outcome, besides block and movements. */
export type OutcomeReader = (transaction: Transaction, outcome: OperationOutcome) => Transaction

/** The readers of all features with their own details. */
export const OutcomeReaders = Context.Reference<ReadonlyArray<OutcomeReader>>(
  "@countersign/core/executions/OutcomeReaders",
  { defaultValue: () => [] }
)

/** The transaction after the operation of a stage was included. It stays pending while another operation follows. */
export const settlementChange =
  (
    stage: number,
    outcome: OperationOutcome,
    movements: ReadonlyArray<Movement>,
    isAwaited: boolean,
    readers: ReadonlyArray<OutcomeReader>
  ): Change =>
  (transaction) => {
    const withItsPart: Transaction = {
      ...readers.reduce((transactionSoFar, read) => read(transactionSoFar, outcome), transaction),
      legs: withBlock(transaction, stage, outcome),
      movements: [...transaction.movements, ...movements]
    }
    if (isAwaited) return withItsPart
    const includedTransaction: Transaction = {
      ...withItsPart,
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
