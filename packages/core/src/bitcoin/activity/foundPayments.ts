import { DateTime } from "effect"
import { detectedTokenDetails, type Leg, type Transaction } from "../../accounting/history/index.ts"
import { type BitcoinAddress, type Hash32, NATIVE_TOKEN } from "../../foundation/primitives/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { BitcoinTransaction } from "../chain/index.ts"
import type { AddressMovements } from "./paymentParts.ts"

/** The on-chain state of a detected payment. */
export interface DetectedPaymentState {
  readonly txid: Hash32
  /** Null while the transaction is unconfirmed. */
  readonly block: BitcoinTransaction["block"]
  readonly confirmations: number
  readonly needed: number
}

export interface NewPayment {
  readonly id: string
  readonly projectId: ProjectId
  readonly walletAddress: BitcoinAddress
  readonly createdAt: DateTime.Utc
}

const unconfirmedLeg = (hash: Hash32): Leg => ({
  chainId: 0,
  hash,
  block: null,
  state: "PENDING",
  stage: 0,
  confirmations: 0
})

/** Returns the history entry of an unconfirmed payment. After a reorg, its movements become the expected ones. */
export const unconfirmedEntry = (transaction: Transaction, substatus: string, now: DateTime.Utc): Transaction => ({
  ...transaction,
  status: "PROCESSING",
  substatus,
  expected: transaction.movements.length > 0 ? transaction.movements : transaction.expected,
  movements: [],
  legs: transaction.legs.map((leg) => (leg.hash === null ? leg : unconfirmedLeg(leg.hash))),
  failure: null,
  updatedAt: now,
  executedAt: null
})

/** Returns the history entry of a confirmed payment, with its number of confirmations. */
const includedEntry = (
  transaction: Transaction,
  { confirmations, needed, txid }: DetectedPaymentState,
  block: NonNullable<DetectedPaymentState["block"]>,
  now: DateTime.Utc
): Transaction => {
  const isFinal = confirmations >= needed
  const leg: Leg = {
    chainId: 0,
    hash: txid,
    block: { number: BigInt(block.height), hash: block.hash },
    state: isFinal ? "FINAL" : "INCLUDED",
    stage: 0,
    confirmations: Math.min(needed, confirmations)
  }
  return {
    ...transaction,
    status: isFinal ? "COMPLETED" : "PROCESSING",
    substatus: "INCLUDED",
    movements: transaction.movements.length > 0 ? transaction.movements : transaction.expected,
    expected: [],
    legs: [leg],
    failure: null,
    updatedAt: now,
    executedAt: DateTime.makeUnsafe(block.minedAtMs)
  }
}

/** Returns the history entry for an on-chain state. */
export const entryInState = (transaction: Transaction, state: DetectedPaymentState, now: DateTime.Utc): Transaction => {
  if (state.block !== null) return includedEntry(transaction, state, state.block, now)
  // After a reorg, an unconfirmed transaction keeps the substatus REORGED.
  return unconfirmedEntry(transaction, transaction.substatus === "REORGED" ? "REORGED" : "BROADCAST", now)
}

export const newPayment = (payment: NewPayment, { movements, type }: AddressMovements, txid: Hash32): Transaction => ({
  ...payment,
  type,
  chainIdIn: 0,
  chainIdOut: 0,
  status: "PROCESSING",
  substatus: null,
  userOperationHash: null,
  expected: movements,
  movements: [],
  legs: [unconfirmedLeg(txid)],
  fees: [],
  subject: null,
  details: detectedTokenDetails.of({ token: NATIVE_TOKEN, isListed: true }),
  failure: null,
  metadata: {},
  updatedAt: payment.createdAt,
  executedAt: null
})

/** Returns the history entry with more confirmations. */
export const confirmedEntry = (
  transaction: Transaction,
  confirmations: number,
  needed: number,
  now: DateTime.Utc
): Transaction => {
  const isFinal = confirmations >= needed
  return {
    ...transaction,
    status: isFinal ? "COMPLETED" : transaction.status,
    legs: transaction.legs.map((leg) => ({
      ...leg,
      state: isFinal ? "FINAL" : leg.state,
      confirmations: Math.min(needed, confirmations)
    })),
    updatedAt: now
  }
}

/** Returns the history entry of a payment that can no longer be confirmed, because it was dropped or replaced. */
export const droppedEntry = (
  transaction: Transaction,
  code: "DROPPED" | "REPLACED",
  message: string,
  now: DateTime.Utc
): Transaction => ({
  ...unconfirmedEntry(transaction, code, now),
  status: "FAILED",
  failure: { code, message }
})

/**
 * Returns the history entry of a payment that an operation has also recorded. Its expected movements remain, in case a
 * reorg removes the operation's record.
 */
export const cancelledDuplicate = (transaction: Transaction, now: DateTime.Utc): Transaction => ({
  ...unconfirmedEntry(transaction, "RECORDED_ELSEWHERE", now),
  status: "CANCELLED"
})

/** Returns whether the status, the substatus or the leg differs. */
export const isChanged = (before: Transaction, after: Transaction): boolean => {
  const [legBefore, legAfter] = [before.legs[0], after.legs[0]]
  return (
    before.status !== after.status ||
    before.substatus !== after.substatus ||
    legBefore?.block?.hash !== legAfter?.block?.hash ||
    legBefore?.state !== legAfter?.state ||
    legBefore?.confirmations !== legAfter?.confirmations
  )
}
