import { Effect } from "effect"
import type { Transaction } from "../../accounting/history/index.ts"
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
 * Finds the transfer that returned a withdrawal's token, if the provider reports a return without its transaction hash.
 * The transfer has the same amount, comes from the account that received the token, and is in a later block. No other
 * operation has claimed or recorded it. The chain watcher must have detected it.
 */
export const unidentifiedReturns = Effect.gen(function* () {
  const activity = yield* ActivityStore
  const findFreeTransfers = yield* freeTransfers
  const transfers = yield* TokenTransfers

  return Effect.fnUntraced(function* (order: FiatOrder, transaction: Transaction) {
    const sentMovement = sentMovementOf(transaction, order)
    if (sentMovement === null) return null
    const { chainId, token, walletAddress } = order.quote
    const detectedTransfers = yield* activity.listSince(chainId, Number(sentMovement.block.number) + 1)
    const ownTransfers = detectedTransfers.filter(
      ({ detectedTransfer, state }) => detectedTransfer.address === walletAddress && state !== "GONE"
    )
    for (const { detectedTransfer } of ownTransfers) {
      const hash = detectedTransfer.transactionHash
      const search = { chainId, hash, token: token.address, account: walletAddress, direction: "IN" as const }
      const foundTransfers = yield* transfers.find(search)
      if (foundTransfers === null) continue
      const freeTransferList = yield* findFreeTransfers(transaction, search, foundTransfers)
      const isReturn = ({ amount, counterparty }: TokenTransfer) =>
        amount === sentMovement.amount && counterparty === sentMovement.counterparty
      if (freeTransferList.some(isReturn)) return hash
    }
    return null
  })
})
