import { Effect } from "effect"
import { finalStatuses, type Transaction } from "../../accounting/history/index.ts"
import { BadRequest } from "../../foundation/errors/index.ts"
import { type FeeRate, TransactionInBlock } from "../chain/index.ts"
import { toSatPerVByte } from "./feeRates.ts"
import { walletPayments } from "./walletPayments.ts"

export interface ReplaceRequest {
  readonly transactionId: string
  readonly kind: "BUMP" | "CANCEL"
  /** In sat/vB. Null selects a rate at which the transaction is likely to be confirmed within a few blocks. */
  readonly feeRate: number | null
}

export const notReplaceable = (reason: string) => BadRequest.of("transactionId", "not_replaceable", reason)

export const insufficientFunds = (purpose: string, feeRate: FeeRate) =>
  BadRequest.of(
    "feeRate",
    "insufficient_funds",
    `The wallet's balance is too low for ${purpose} at ${toSatPerVByte(feeRate)} sat/vB. Set a lower \`feeRate\`.`
  )

/** Rejects a requested rate that is not above the rate of the pending transaction. */
export const requireHigherRate = (
  { feeRate: requestedFeeRate }: ReplaceRequest,
  feeRate: FeeRate,
  currentFeeRate: FeeRate
): Effect.Effect<void, BadRequest> =>
  requestedFeeRate === null || feeRate > currentFeeRate
    ? Effect.void
    : BadRequest.of(
        "feeRate",
        "fee_rate_too_low",
        `The pending transaction's fee rate is ${toSatPerVByte(currentFeeRate)} sat/vB. Set a higher \`feeRate\`.`
      )

/**
 * Rejects a transaction that is confirmed or has ended. Returns the pending transaction as the node reports it. Null if
 * the node does not have it.
 */
export const pendingTransactions = Effect.map(walletPayments, ({ transaction }) =>
  Effect.fnUntraced(function* ({ legs: [leg], status }: Transaction) {
    const hash = leg?.hash ?? null
    const pendingTransaction = hash === null ? null : yield* transaction(hash)
    // A block may include the transaction before the history shows it.
    if (pendingTransaction !== null && pendingTransaction.block !== null) {
      return yield* new TransactionInBlock({
        txid: pendingTransaction.txid,
        height: pendingTransaction.block.height,
        consequence: "A transaction in a block can't be replaced or cancelled."
      })
    }
    if (finalStatuses.has(status)) return yield* notReplaceable(`Its status is already ${status}.`)
    return pendingTransaction
  })
)
