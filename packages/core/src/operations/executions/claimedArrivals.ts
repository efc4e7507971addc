import { Effect } from "effect"
import { type TransferClaim, TransferClaims, type TransferShare } from "../../accounting/history/index.ts"
import { minBigInt } from "../../foundation/primitives/index.ts"
import type { Execution } from "./Execution.ts"

/** A token transfer to an account, in a transaction that may contain several such transfers. */
export interface IncomingTransfer {
  /** Index of the transfer in the transaction, as in `TransferClaims`. */
  readonly index: number
  readonly amount: bigint
  /**
   * Whether several operations may each record a part of the transfer, such as deposits that a bridge refunds together.
   */
  readonly isShared?: boolean
}

const distance = (a: bigint, b: bigint): bigint => (a > b ? a - b : b - a)

/** Returns the total amount of the transfers. */
export const amountOf = (transfers: ReadonlyArray<IncomingTransfer>): bigint =>
  transfers.reduce((sum, { amount }) => sum + amount, 0n)

/**
 * Maximum number of transfers for which every subset is compared. For more transfers, only the complete set and
 * consecutive transfers up to this number are compared, because the parts of an arrival are sent consecutively.
 */
const MAX_SUBSET_TRANSFERS = 12

const allSubsets = <T>(transfers: ReadonlyArray<T>): ReadonlyArray<ReadonlyArray<T>> =>
  Array.from({ length: 2 ** transfers.length }, (_, selection) =>
    transfers.filter((_, index) => Math.floor(selection / 2 ** index) % 2 === 1)
  )

const consecutiveSubsets = <T>(transfers: ReadonlyArray<T>): ReadonlyArray<ReadonlyArray<T>> => [
  ...transfers.flatMap((_, from) => {
    const row = transfers.slice(from, from + MAX_SUBSET_TRANSFERS)
    return row.map((_, last) => row.slice(0, last + 1))
  }),
  transfers
]

/**
 * Returns the transfers that form an arrival: the subset whose sum is closest to the expected amount, and among equally
 * close sums the smallest subset. A router may deliver one amount in parts, and a relayer may deliver for several
 * operations in one transaction.
 */
export const arrivingTransfers = <T extends IncomingTransfer>(
  transfers: ReadonlyArray<T>,
  expected: bigint
): ReadonlyArray<T> => {
  const selections = transfers.length > MAX_SUBSET_TRANSFERS ? consecutiveSubsets(transfers) : allSubsets(transfers)
  const options = selections
    .filter(({ length }) => length > 0)
    .map((selection) => ({ selection, error: distance(amountOf(selection), expected) }))
    .toSorted((a, b) => (a.error < b.error ? -1 : a.error > b.error ? 1 : a.selection.length - b.selection.length))
  return options[0]?.selection ?? []
}

export type ClaimedArrival<T> =
  | { readonly _tag: "Claimed"; readonly transfers: ReadonlyArray<T>; readonly amount: bigint }
  /** Other operations have claimed all transfers, or there are none. */
  | { readonly _tag: "Taken" }
  /** The amount can't belong to the operation. Nothing is claimed. */
  | { readonly _tag: "Implausible"; readonly amount: bigint }

/**
 * Claims the transfers of an arrival, or parts of shared transfers, so that no other operation of the project records
 * the same amounts.
 */
export const claimedArrivals = Effect.gen(function* () {
  const claims = yield* TransferClaims

  return Effect.fnUntraced(function* <T extends IncomingTransfer>(
    { id, projectId }: Pick<Execution, "id" | "projectId">,
    { account, chainId, hash }: Pick<TransferClaim, "account" | "chainId" | "hash">,
    transfers: ReadonlyArray<T>,
    { expected, isPlausible }: { readonly expected: bigint; readonly isPlausible: (amount: bigint) => boolean }
  ): Effect.fn.Return<ClaimedArrival<T>> {
    const claim = { projectId, transactionId: id, chainId, hash, account }
    // Another operation may claim the selected transfers first. The next attempt then has fewer unclaimed transfers.
    for (let attempt = 0; attempt <= transfers.length; attempt++) {
      const claimedShares = yield* claims.readClaimedByOthers(claim)
      const unclaimedShare = (transfer: T): ReadonlyArray<T & { readonly of: bigint }> => {
        const { amount: transferAmount, index, isShared = false } = transfer
        const claimedAmount = claimedShares.get(index) ?? 0n
        if (claimedAmount >= transferAmount || (claimedAmount > 0n && !isShared)) return []
        return [
          {
            ...transfer,
            amount: isShared ? minBigInt(transferAmount - claimedAmount, expected) : transferAmount,
            of: transferAmount
          }
        ]
      }
      const chosenTransfers = arrivingTransfers(transfers.flatMap(unclaimedShare), expected)
      const amount = amountOf(chosenTransfers)
      if (chosenTransfers.length === 0) break
      if (!isPlausible(amount)) return { _tag: "Implausible", amount }
      const shares = chosenTransfers.map(({ amount, index, of }): TransferShare => ({ index, amount, of }))
      if (yield* claims.claim({ ...claim, shares })) return { _tag: "Claimed", transfers: chosenTransfers, amount }
    }
    return { _tag: "Taken" }
  })
})
