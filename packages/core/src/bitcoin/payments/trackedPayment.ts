import type { Leg, Transaction } from "../../accounting/history/index.ts"
import type { Hash32 } from "../../foundation/primitives/index.ts"
import type { Step, Work } from "../../operations/executions/index.ts"
import type { BitcoinTerms } from "../../operations/intents/index.ts"
import type { SignedTransaction } from "../chain/index.ts"
import { replacedByDetails } from "./bitcoinDetails.ts"
import { type BitcoinPaymentState, bitcoinPaymentState } from "./paymentState.ts"

/** Interval between two checks in milliseconds. Bitcoin has a block every ten minutes on average. */
export const POLL_EVERY_MS = 20_000
/** Delay before a broadcast that a node temporarily rejected is retried. */
export const RETRY_MS = 10_000
/** Duration for which nodes keep an unconfirmed transaction (Bitcoin Core, `DEFAULT_MEMPOOL_EXPIRY_HOURS`). */
export const MEMPOOL_EXPIRY_MS = 336 * 3_600_000

/**
 * Duration after the quote's expiry for which the service retries a payment that one server rejected, while another
 * server does not respond. The other server may have accepted the payment.
 */
export const UNDECIDED_MS = 24 * 3_600_000

export type Change = (before: Transaction) => Transaction

export const withLeg = (transaction: Transaction, fields: Partial<Leg>): Transaction => ({
  ...transaction,
  legs: transaction.legs.map((leg) => ({ ...leg, ...fields }))
})

/**
 * Returns the change to an unconfirmed payment. `replacedBy` is the id of the replacing transaction in the wallet's
 * history.
 */
export const unconfirmedChange =
  (hash: Hash32 | null, substatus: string, replacedBy: string | null = null): Change =>
  (before) => ({
    ...withLeg(before, { hash, block: null, state: "PENDING", confirmations: 0 }),
    details: replacedByDetails.with(before, replacedBy === null ? null : { transactionId: replacedBy }),
    movements: [],
    executedAt: null,
    substatus
  })

export const failedStep = (code: string, message: string): Step => ({
  _tag: "End",
  change: (before) => ({ ...unconfirmedChange(null, code)(before), status: "FAILED", failure: { code, message } })
})

export const waitStep = (afterMs: number): Step => ({ _tag: "Wait", afterMs })

/** A signed payment, and the state of its stage. */
export interface TrackedPayment {
  readonly work: Work
  readonly terms: BitcoinTerms
  readonly signed: SignedTransaction
  readonly state: BitcoinPaymentState
  readonly current: Transaction
}

export const stayStep = (
  { state }: TrackedPayment,
  fields: Partial<BitcoinPaymentState>,
  change: Change,
  afterMs = POLL_EVERY_MS
): Step => ({
  _tag: "Stay",
  state: bitcoinPaymentState.encode({ ...state, ...fields }),
  change,
  afterMs
})

/** Returns the step that reports a pending status. If the status is unchanged, the step only waits. */
export const pendingStep = (
  trackedPayment: TrackedPayment,
  hash: Hash32,
  substatus: string,
  {
    afterMs = POLL_EVERY_MS,
    replacedBy = null
  }: { readonly afterMs?: number; readonly replacedBy?: string | null } = {}
): Step => {
  const { current } = trackedPayment
  const isReported =
    current.substatus === substatus &&
    current.legs[0]?.hash === hash &&
    (replacedByDetails.in(current)?.transactionId ?? null) === replacedBy
  return isReported
    ? waitStep(afterMs)
    : stayStep(
        trackedPayment,
        { following: hash, confirmations: 0, coinLostAtMs: null },
        unconfirmedChange(hash, substatus, replacedBy),
        afterMs
      )
}
