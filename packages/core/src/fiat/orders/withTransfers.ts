import type { Leg, Transaction } from "../../accounting/history/index.ts"
import type { FiatQuote } from "./FiatOrder.ts"
import { tokenMovement } from "./fiatMovements.ts"
import type { OrderTransfer } from "./orderTransfers.ts"

/**
 * The transaction with the transfers of an order, each in its own leg. Legs without a hash are removed, because a reorg
 * removed their blocks; all operations before this stage are in blocks.
 */
export const withTransfers = (
  transaction: Transaction,
  quote: FiatQuote,
  stage: number,
  transfers: ReadonlyArray<OrderTransfer>
): Transaction => {
  const legs = transaction.legs.filter(({ hash }) => hash !== null)
  const places = transaction.legs.map((leg) => legs.indexOf(leg))
  const movements = transaction.movements.map((movement) =>
    movement.leg === null ? movement : { ...movement, leg: places[movement.leg] ?? null }
  )
  const addedTransfers = transfers.filter((transfer) => !legs.some(({ hash }) => hash === transfer.hash))
  const newLegs = addedTransfers.map(
    ({ block, chainId, hash }): Leg => ({ chainId, hash, block, state: "INCLUDED", stage })
  )
  const newMovements = addedTransfers.map((transfer, place) =>
    tokenMovement(quote, transfer.direction, transfer, legs.length + place)
  )
  return { ...transaction, legs: [...legs, ...newLegs], movements: [...movements, ...newMovements] }
}
