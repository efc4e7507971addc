import { Effect } from "effect"
import { ActivityStore } from "../../chain-activity/index.ts"
import { HistoryStore, type Transaction } from "../../history/index.ts"
import type { Hash32 } from "../../primitives/index.ts"
import { isToken } from "../../tokens/index.ts"
import { TokenTransfers } from "../provider/TokenTransfers.ts"
import type { FiatOrder } from "./FiatOrder.ts"

/** Transactions of a wallet that can have one transfer. */
const PARTS = 100

/** What a withdrawal has sent of its token, to whom, and in which block. */
const sentBy = ({ legs, movements }: Transaction, { quote: { chainId, token } }: FiatOrder) => {
  const sent = movements.find(
    ({ asset, direction, role }) =>
      direction === "OUT" &&
      role === "PRINCIPAL" &&
      isToken(asset) &&
      asset.chainId === chainId &&
      asset.token === token.address
  )
  const block = sent === undefined || sent.leg === null ? null : (legs[sent.leg]?.block ?? null)
  return sent === undefined || block === null ? null : { ...sent, block }
}

/**
 * Finds the transfer that gave a withdrawal's token back, where a provider says that it did and not how: the very amount, from where
 * it was sent, later, to the wallet, and no part of another order. The watch of the chain has seen what came.
 */
export const unnamedReturns = Effect.gen(function* () {
  const activity = yield* ActivityStore
  const history = yield* HistoryStore
  const transfers = yield* TokenTransfers

  const isOfAnother = Effect.fnUntraced(function* (
    { id, projectId, walletAddress }: Transaction,
    transactionHash: Hash32
  ) {
    const told = yield* history.list({
      projectId,
      walletAddress,
      filter: { transactionHash, types: ["FIAT_DEPOSIT", "FIAT_WITHDRAWAL"] },
      after: null,
      take: PARTS
    })
    return told.some((transaction) => transaction.id !== id)
  })

  return Effect.fnUntraced(function* (order: FiatOrder, transaction: Transaction) {
    const sent = sentBy(transaction, order)
    if (sent === null) return null
    const { chainId, token, walletAddress } = order.quote
    const seen = yield* activity.since(chainId, Number(sent.block.number) + 1)
    const own = seen.filter(({ sighting, state }) => sighting.address === walletAddress && state !== "GONE")
    for (const { sighting } of own) {
      const hash = sighting.transactionHash
      const came = yield* transfers.find({
        chainId,
        hash,
        token: token.address,
        account: walletAddress,
        direction: "IN"
      })
      const isBack = came !== null && came.amount === sent.amount && came.counterparty === sent.counterparty
      if (isBack && !(yield* isOfAnother(transaction, hash))) return hash
    }
    return null
  })
})
