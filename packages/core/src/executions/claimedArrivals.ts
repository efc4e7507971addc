import { Effect } from "effect"
import { type TransferClaim, TransferClaims } from "../history/index.ts"
import type { Execution } from "./Execution.ts"

/** A transfer of one token to one account, in a transaction that may have several. */
export interface IncomingTransfer {
  /** Its place in the transaction, as `TransferClaims` counts. */
  readonly index: number
  readonly amount: bigint
}

const distance = (a: bigint, b: bigint): bigint => (a > b ? a - b : b - a)

/** The amount of all transfers. */
export const amountOf = (transfers: ReadonlyArray<IncomingTransfer>): bigint =>
  transfers.reduce((sum, { amount }) => sum + amount, 0n)

/**
 * The transfers that make up an arrival: all of them or one of them, whichever is nearest to the expected amount. A router may
 * deliver one amount in parts, and a relayer may deliver several operations in one transaction.
 */
export const arrivingTransfers = <T extends IncomingTransfer>(
  transfers: ReadonlyArray<T>,
  expected: bigint
): ReadonlyArray<T> => {
  const options = [...transfers.map((each) => [each]), [...transfers]]
  const error = (option: ReadonlyArray<T>) => distance(amountOf(option), expected)
  return options.reduce((nearest, option) => (error(option) < error(nearest) ? option : nearest))
}

export type ClaimedArrival<T> =
  | { readonly _tag: "Claimed"; readonly transfers: ReadonlyArray<T>; readonly amount: bigint }
  /** Other operations have claimed the transfers. */
  | { readonly _tag: "Taken" }
  /** The amount can't belong to the operation. Nothing is claimed. */
  | { readonly _tag: "Implausible"; readonly amount: bigint }

/** Claims the transfers that make up an arrival, so that no other operation of the project records them. */
export const claimedArrivals = Effect.gen(function* () {
  const claims = yield* TransferClaims

  return Effect.fnUntraced(function* <T extends IncomingTransfer>(
    { id, projectId }: Pick<Execution, "id" | "projectId">,
    { account, chainId, hash }: Pick<TransferClaim, "account" | "chainId" | "hash">,
    transfers: ReadonlyArray<T>,
    { expected, isPlausible }: { readonly expected: bigint; readonly isPlausible: (amount: bigint) => boolean }
  ): Effect.fn.Return<ClaimedArrival<T>> {
    const claim = { projectId, transactionId: id, chainId, hash, account }
    const claimed = yield* claims.claimedByOthers(claim)
    const free = transfers.filter(({ index }) => !claimed.has(index))
    const chosen = arrivingTransfers(free, expected)
    const amount = amountOf(chosen)
    if (chosen.length === 0) return { _tag: "Taken" }
    if (!isPlausible(amount)) return { _tag: "Implausible", amount }
    const isClaimed = yield* claims.claim({ ...claim, indices: chosen.map(({ index }) => index) })
    return isClaimed ? { _tag: "Claimed", transfers: chosen, amount } : { _tag: "Taken" }
  })
})
