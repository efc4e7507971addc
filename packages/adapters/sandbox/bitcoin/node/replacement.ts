import type { Transaction } from "bitcoinjs-lib"
import { type ChainIndex, type IndexedTransaction, parentTxidOf } from "./ChainIndex.ts"

const LAST_REPLACEABLE_SEQUENCE = 0xffff_fffd
const MAX_REPLACED = 100

export type Replacement =
  | { readonly _tag: "None" }
  | { readonly _tag: "Refused"; readonly message: string }
  | { readonly _tag: "Replaces"; readonly replaced: ReadonlyArray<IndexedTransaction> }

const refuse = (message: string): Replacement => ({ _tag: "Refused", message })

/** Determines which transactions a transaction replaces, or why the rules of BIP-125 forbid the replacement. */
export const replacementBy = (index: ChainIndex, transaction: Transaction): Replacement => {
  const conflicts = transaction.ins.flatMap((input) => {
    const spender = index.spender(parentTxidOf(input), input.index)
    return spender === undefined || spender.block !== null ? [] : [spender]
  })
  if (conflicts.length === 0) return { _tag: "None" }
  if (transaction.ins.some((input) => index.output(parentTxidOf(input), input.index) === undefined))
    return { _tag: "None" }
  const isReplaceable = (other: Transaction) => other.ins.some(({ sequence }) => sequence <= LAST_REPLACEABLE_SEQUENCE)
  if (!conflicts.every((conflict) => isReplaceable(conflict.transaction))) return refuse("txn-mempool-conflict")

  const conflictingTransactions = index.withDescendants(conflicts.map((conflict) => conflict.transaction.getId()))
  if (conflictingTransactions.length > MAX_REPLACED) return refuse("too many potential replacements")
  const replacedInputs = new Set(conflicts.flatMap((conflict) => conflict.transaction.ins.map(parentTxidOf)))
  const isNewAndWaiting = (txid: string) => !replacedInputs.has(txid) && index.get(txid)?.block === null
  if (transaction.ins.map(parentTxidOf).some(isNewAndWaiting)) return refuse("replacement-adds-unconfirmed")

  const fee = index.fee(transaction)
  const size = BigInt(transaction.virtualSize())
  const hasLowerRate = (other: Transaction) => fee * BigInt(other.virtualSize()) <= index.fee(other) * size
  const replacedFees = conflictingTransactions.reduce((total, other) => total + index.fee(other.transaction), 0n)
  return conflicts.some((conflict) => hasLowerRate(conflict.transaction)) || fee < replacedFees + size
    ? refuse("insufficient fee, rejecting replacement")
    : { _tag: "Replaces", replaced: conflictingTransactions }
}
