import type { BlockRef, Leg, Movement, Transaction } from "../../accounting/history/index.ts"

/** Tokens that came in a transaction of their own: what a bridge or a book gave or paid back. */
export interface Arrival {
  readonly chainId: Leg["chainId"]
  readonly hash: NonNullable<Leg["hash"]>
  readonly block: BlockRef
  readonly moved: Pick<Movement, "account" | "asset" | "amount" | "usd" | "counterparty">
}

/**
 * The transaction with what a stage saw arrive, one leg of this stage for each arrival. They replace all of its earlier legs, so
 * that none stays from before a reorganisation. Legs of an arrival's stage come last: the others keep their places.
 */
export const withArrival = (
  transaction: Transaction,
  stage: number,
  ...arrivals: ReadonlyArray<Arrival>
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
      ...arrivals.map(
        ({ moved }, i): Movement => ({ ...moved, direction: "IN", role: "PRINCIPAL", leg: legs.length + i })
      )
    ]
  }
}
