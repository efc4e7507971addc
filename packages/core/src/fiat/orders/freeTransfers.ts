import { Effect } from "effect"
import { type Transaction, TransferClaims } from "../../accounting/history/index.ts"
import { isToken } from "../../foundation/tokens/index.ts"
import { ActivityStore } from "../../wallets/chain-activity/index.ts"
import type { TokenTransfer, TransferSearch, TransfersInTransaction } from "../provider/TokenTransfers.ts"

/** The amounts that other transactions have recorded, by counterparty. */
type RecordedAmounts = Map<string | null, bigint>

/**
 * Returns the transfers that are neither claimed nor part of a recorded amount. Recorded amounts include claimed
 * transfers.
 */
export const unrecordedTransfers = (
  transfers: ReadonlyArray<TokenTransfer>,
  claimedAmounts: ReadonlyMap<number, bigint>,
  recordedAmounts: ReadonlyMap<string | null, bigint>
): ReadonlyArray<TokenTransfer> => {
  const remainingAmounts: RecordedAmounts = new Map(recordedAmounts)
  const deductFromRecorded = ({ amount, counterparty }: TokenTransfer): boolean => {
    const remainder = (remainingAmounts.get(counterparty) ?? 0n) - amount
    if (remainder >= 0n) remainingAmounts.set(counterparty, remainder)
    return remainder >= 0n
  }
  const unclaimedTransfers = transfers.filter((transfer) => !claimedAmounts.has(transfer.index))
  for (const transfer of transfers) if (claimedAmounts.has(transfer.index)) deductFromRecorded(transfer)
  return unclaimedTransfers.filter((transfer) => !deductFromRecorded(transfer))
}

/** Returns the transfers that no other operation of the project has claimed or recorded. */
export const freeTransfers = Effect.gen(function* () {
  const activity = yield* ActivityStore
  const claims = yield* TransferClaims

  return Effect.fnUntraced(function* (
    { id, projectId }: Pick<Transaction, "id" | "projectId">,
    { account, chainId, direction, hash, token }: TransferSearch,
    { transfers }: TransfersInTransaction
  ) {
    const claimedShares = yield* claims.readClaimedByOthers({ projectId, transactionId: id, chainId, hash, account })
    const amounts: RecordedAmounts = new Map()
    for (const flow of yield* activity.listRecorded(projectId, account, chainId, hash)) {
      const { amount, asset, counterparty, transactionId } = flow
      if (transactionId === id || flow.direction !== direction || !isToken(asset) || asset.token !== token) continue
      amounts.set(counterparty, (amounts.get(counterparty) ?? 0n) + amount)
    }
    return unrecordedTransfers(transfers, claimedShares, amounts)
  })
})
