import type { BlockRef, Leg, Movement, Transaction } from "../history/index.ts"

/** Tokens that came in a transaction of their own: what a bridge or a book gave or paid back. */
export interface Arrival {
  readonly chainId: Leg["chainId"]
  readonly hash: NonNullable<Leg["hash"]>
  readonly block: BlockRef
  readonly moved: Pick<Movement, "account" | "asset" | "amount" | "usd" | "counterparty">
}

/** The transaction with what a stage saw arrive, in the leg of this stage. */
export const withArrival = (
  transaction: Transaction,
  stage: number,
  { block, chainId, hash, moved }: Arrival
): Transaction => {
  const { legs, movements } = transaction
  const leg: Leg = { chainId, hash, block, state: "INCLUDED", stage }
  const known = legs.findIndex((other) => other.stage === stage)
  const place = known < 0 ? legs.length : known
  return {
    ...transaction,
    legs: known < 0 ? [...legs, leg] : legs.with(known, leg),
    movements: [...movements, { ...moved, direction: "IN", role: "PRINCIPAL", leg: place }]
  }
}
