import { Effect } from "effect"
import { HistoryStore, MAX_HISTORY_PAGE, type Movement, type Transaction } from "../../accounting/history/index.ts"
import type { Hash32 } from "../../foundation/primitives/index.ts"
import { isToken } from "../../foundation/tokens/index.ts"
import { ActivityStore } from "../../wallets/chain-activity/index.ts"
import { type TokenTransfer, TokenTransfers } from "../provider/TokenTransfers.ts"
import type { FiatOrder } from "./FiatOrder.ts"
import { freeTransfers } from "./freeTransfers.ts"

/** Returns the token amount that a withdrawal has sent, with the receiver and the block. */
const sentMovementOf = ({ legs, movements }: Transaction, { quote: { chainId, token } }: FiatOrder) => {
  const sentMovement = movements.find(
    ({ asset, direction, role }) =>
      direction === "OUT" &&
      role === "PRINCIPAL" &&
      isToken(asset) &&
      asset.chainId === chainId &&
      asset.token === token.address
  )
  const block = sentMovement === undefined || sentMovement.leg === null ? null : (legs[sentMovement.leg]?.block ?? null)
  return sentMovement === undefined || block === null ? null : { ...sentMovement, block }
}

/**
 * Maximum number of history pages that a search reads, newest first. An ended order is checked at least hourly, so a
 * search misses a return only if more deposits arrive within an hour.
 */
const MAX_PAGES = 10

/**
 * Finds the transfer that returned a withdrawal's token, if the provider reports a return without its transaction hash.
 * The transfer has the same amount, comes from the account that received the token, and is in a later block. No other
 * operation has claimed or recorded it. The chain watcher must have detected it.
 */
export const unidentifiedReturns = Effect.gen(function* () {
  const activity = yield* ActivityStore
  const history = yield* HistoryStore
  const findFreeTransfers = yield* freeTransfers
  const transfers = yield* TokenTransfers

  /**
   * Returns the hashes of transactions in which the wallet received this amount from this account, according to the
   * wallet's history. The watcher's own data of a transfer are deleted once its block is final.
   */
  const listRecordedHashes = Effect.fnUntraced(function* (
    { createdAt, quote: { chainId, projectId, token, walletAddress } }: FiatOrder,
    { amount, counterparty }: Pick<Movement, "amount" | "counterparty">
  ) {
    const hashes: Array<Hash32> = []
    const filter = {
      types: ["CRYPTO_DEPOSIT"],
      statuses: ["COMPLETED"],
      chainIdIn: chainId,
      createdAtOldest: createdAt
    } as const
    let after: Transaction | null = null
    for (let pageIndex = 0; pageIndex < MAX_PAGES; pageIndex++) {
      const page: ReadonlyArray<Transaction> = yield* history.list({
        projectId,
        walletAddress,
        filter,
        after,
        take: MAX_HISTORY_PAGE
      })
      for (const { legs, movements } of page) {
        const isReturn = movements.some(
          (movement) =>
            movement.direction === "IN" &&
            isToken(movement.asset) &&
            movement.asset.token === token.address &&
            movement.amount === amount &&
            movement.counterparty === counterparty
        )
        const hash = legs[0]?.hash ?? null
        if (isReturn && hash !== null) hashes.push(hash)
      }
      after = page.at(-1) ?? null
      if (page.length < MAX_HISTORY_PAGE) break
    }
    return hashes
  })

  return Effect.fnUntraced(function* (order: FiatOrder, transaction: Transaction) {
    const sentMovement = sentMovementOf(transaction, order)
    if (sentMovement === null) return null
    const { chainId, token, walletAddress } = order.quote
    const detectedTransfers = yield* activity.listSince(chainId, Number(sentMovement.block.number) + 1)
    const detectedHashes = new Set(
      detectedTransfers
        .filter(({ detectedTransfer, state }) => detectedTransfer.address === walletAddress && state !== "GONE")
        .map(({ detectedTransfer }) => detectedTransfer.transactionHash)
    )
    const isReturn = ({ amount, counterparty }: TokenTransfer) =>
      amount === sentMovement.amount && counterparty === sentMovement.counterparty
    const findReturn = Effect.fnUntraced(function* (hashes: Iterable<Hash32>) {
      for (const hash of hashes) {
        const search = { chainId, hash, token: token.address, account: walletAddress, direction: "IN" as const }
        const foundTransfers = yield* transfers.find(search)
        if (foundTransfers === null || foundTransfers.block.number <= sentMovement.block.number) continue
        const freeTransferList = yield* findFreeTransfers(transaction, search, foundTransfers)
        if (freeTransferList.some(isReturn)) return hash
      }
      return null
    })
    const detectedReturn = yield* findReturn(detectedHashes)
    if (detectedReturn !== null) return detectedReturn
    const recordedHashes = yield* listRecordedHashes(order, sentMovement)
    return yield* findReturn(new Set(recordedHashes.filter((hash) => !detectedHashes.has(hash))))
  })
})
