import type { Leg, Transaction } from "../../accounting/history/index.ts"
import type { FiatQuote } from "./FiatOrder.ts"
import { tokenMovement } from "./fiatMovements.ts"
import type { OrderTransfer } from "./orderTransfers.ts"

/**
 * Adds a leg for each transfer of an order whose transaction has no leg yet. Removes legs without a hash: all
 * operations before this stage were included, so a reorg must have removed these legs' blocks.
 */
export const withTransfers = (
  transaction: Transaction,
  quote: FiatQuote,
  stage: number,
  transfers: ReadonlyArray<OrderTransfer>
): Transaction => {
  const legs = transaction.legs.filter(({ hash }) => hash !== null)
  const legIndices = transaction.legs.map((leg) => legs.indexOf(leg))
  const movements = transaction.movements.map((movement) =>
    movement.leg === null ? movement : { ...movement, leg: legIndices[movement.leg] ?? null }
  )
  const addedTransfers = transfers.filter((transfer) => !legs.some(({ hash }) => hash === transfer.hash))
  const newLegs = addedTransfers.map(
    ({ block, chainId, hash }): Leg => ({ chainId, hash, block, state: "INCLUDED", stage })
  )
  const newMovements = addedTransfers.map((transfer, index) =>
    tokenMovement(quote, transfer.direction, transfer, legs.length + index)
  )
  return { ...transaction, legs: [...legs, ...newLegs], movements: [...movements, ...newMovements] }
}
