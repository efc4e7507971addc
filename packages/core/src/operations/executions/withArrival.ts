import type { BlockRef, Leg, Movement, Transaction } from "../../accounting/history/index.ts"

/** A transaction that delivered or refunded tokens, such as a bridge's fill. */
export interface ArrivalTransaction {
  readonly chainId: Leg["chainId"]
  readonly hash: NonNullable<Leg["hash"]>
  readonly block: BlockRef
}

/** Tokens that arrived in a separate transaction. */
export interface Arrival extends ArrivalTransaction {
  readonly moved: Pick<Movement, "account" | "asset" | "amount" | "usd" | "counterparty">
}

/**
 * Returns the transaction with one leg per arrival of a stage. These legs replace all earlier legs of the stage,
 * including legs from before a reorg. They come last, so that the other legs keep their indexes. If another operation
 * has recorded the tokens of an arrival, its leg has no movement.
 */
export const withArrival = (
  transaction: Transaction,
  stage: number,
  ...arrivals: ReadonlyArray<Arrival | ArrivalTransaction>
): Transaction => {
  const legs = transaction.legs.filter((leg) => leg.stage !== stage)
  const movements = transaction.movements.filter(({ leg }) => leg === null || leg < legs.length)
  return {
    ...transaction,
    legs: [
      ...legs,
      ...arrivals.map(({ block, chainId, hash }): Leg => ({ chainId, hash, block, state: "INCLUDED", stage }))
    ],
    movements: [
      ...movements,
      ...arrivals.flatMap(
        (arrival, i): ReadonlyArray<Movement> =>
          "moved" in arrival ? [{ ...arrival.moved, direction: "IN", role: "PRINCIPAL", leg: legs.length + i }] : []
      )
    ]
  }
}
