import type { Deposit } from "./deposits.ts"

/** A payment from a SpokePool to a depositor in one token. */
export interface Refund {
  readonly amount: bigint
  /** Block timestamp in Unix seconds. */
  readonly timestamp: number
}

/**
 * Maximum number of a wallet's deposits for which all subsets are summed. Only a few deposits expire at the same time.
 */
const MAX_SUMMED = 16

/** Finds the first subset of the deposits, in order, whose sum is this amount; null if there is none. */
const findSummands = (deposits: ReadonlyArray<Deposit>, sum: bigint): ReadonlyArray<Deposit> | null => {
  if (sum === 0n) return []
  const [first, ...others] = deposits
  if (first === undefined || sum < 0n) return null
  const otherDeposits = findSummands(others, sum - first.relay.inputAmount)
  return otherDeposits === null ? findSummands(others, sum) : [first, ...otherDeposits]
}

/**
 * Finds the refund of a deposit; null if there is none yet. A refund may pay several deposits of one depositor and
 * token in one sum. Each refund is matched with the deposits that had expired by then, oldest first, so that two equal
 * deposits do not match the same refund.
 */
export const refundOf = <R extends Refund>(
  deposit: Deposit,
  expiredDeposits: ReadonlyArray<Deposit>,
  refunds: ReadonlyArray<R>
): R | null => {
  let openDeposits = expiredDeposits.toSorted(
    (a, b) =>
      a.relay.fillDeadline - b.relay.fillDeadline ||
      (a.relay.depositId < b.relay.depositId ? -1 : a.relay.depositId > b.relay.depositId ? 1 : 0)
  )
  for (const refund of refunds) {
    const dueDeposits = openDeposits.filter(({ relay }) => relay.fillDeadline < refund.timestamp).slice(0, MAX_SUMMED)
    const paidDeposits = findSummands(dueDeposits, refund.amount) ?? []
    if (paidDeposits.some(({ relay }) => relay.depositId === deposit.relay.depositId)) return refund
    openDeposits = openDeposits.filter((each) => !paidDeposits.includes(each))
  }
  return null
}
