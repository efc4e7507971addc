import type { DateTime } from "effect"
import type { Leg, Movement, MovementValue, Transaction } from "../../accounting/history/index.ts"
import type { ChainId } from "../../foundation/chains/index.ts"
import type { Address, Hash32, WalletAddress } from "../../foundation/primitives/index.ts"
import type { FillSide, OrderFill } from "./OrderBook.ts"

/** The data that the movements of an order's fills need. */
export interface FillScope {
  readonly chainId: ChainId
  readonly stage: number
  readonly wallet: WalletAddress
  readonly receiver: WalletAddress
  readonly sellToken: Address
  readonly buyToken: Address
  /** The order book's settlement contract: the counterparty of the movements. */
  readonly settlement: Address
  readonly value: (side: FillSide, amount: bigint) => MovementValue
}

/** A fill, with the sides whose transfers no other operation has recorded. */
export interface ClaimedFill extends OrderFill {
  readonly claimed: ReadonlySet<FillSide>
}

/** The recorded fill transactions of a stage's order. */
export const knownFills = ({ legs }: Transaction, stage: number): ReadonlyArray<Hash32> =>
  legs.flatMap((leg) => (leg.stage === stage && leg.hash !== null ? [leg.hash] : []))

/** The substatus of an order that its order book has dropped, or that its wallet has invalidated. */
export const CANCELLED = "CANCELLED"

/** The transaction of an order that its book has dropped. Only a settlement in flight may still fill it. */
export const withCancellation = (transaction: Transaction, stage: number, at: DateTime.Utc): Transaction => ({
  ...transaction,
  status: knownFills(transaction, stage).length === 0 ? "CANCELLED" : "PARTIALLY_COMPLETED",
  substatus: CANCELLED,
  updatedAt: at,
  executedAt: at
})

const movementsOf = (fill: ClaimedFill, leg: number, scope: FillScope): ReadonlyArray<Movement> => {
  const { buyToken, chainId, receiver, sellToken, settlement, value, wallet } = scope
  const sides = [
    { side: "sold", direction: "OUT", account: wallet, token: sellToken },
    { side: "bought", direction: "IN", account: receiver, token: buyToken }
  ] as const
  return sides
    .filter(({ side }) => fill.claimed.has(side))
    .map(({ account, direction, side, token }) => ({
      role: "PRINCIPAL",
      counterparty: settlement,
      leg,
      direction,
      account,
      asset: { chainId, token },
      amount: fill[side],
      ...value(side, fill[side])
    }))
}

/** Whether other operations have recorded transfers of this stage's fills. */
export const isRecordedElsewhere = ({ legs, movements }: Transaction, stage: number): boolean =>
  legs.some(
    (leg, place) =>
      leg.stage === stage && leg.hash !== null && movements.filter((moved) => moved.leg === place).length < 2
  )

/** The transaction with one leg per fill of its order, and with the claimed movements. Includes earlier fills. */
export const withFills = (
  transaction: Transaction,
  fills: ReadonlyArray<ClaimedFill>,
  scope: FillScope
): Transaction => {
  const isOther = (leg: Leg | undefined) => leg === undefined || leg.stage !== scope.stage
  const others = transaction.legs.filter(isOther)
  const places = transaction.legs.map((leg) => others.indexOf(leg))
  const otherMovements = transaction.movements
    .filter(({ leg }) => leg === null || isOther(transaction.legs[leg]))
    .map((movement) => (movement.leg === null ? movement : { ...movement, leg: places[movement.leg] ?? null }))
  const legs = fills.map(
    ({ block, hash }): Leg => ({ chainId: scope.chainId, hash, block, state: "INCLUDED", stage: scope.stage })
  )
  const fillMovements = fills.flatMap((fill, i) => movementsOf(fill, others.length + i, scope))
  const isIn = ({ direction }: Movement) => direction === "IN"
  return {
    ...transaction,
    legs: fills.length === 0 ? transaction.legs : [...others, ...legs],
    // The first IN movement is the bought amount. The first OUT movement is the sold amount: if the operation has
    // wrapped native tokens for the order, that movement precedes the movements of the fills.
    movements: [
      ...fillMovements.filter(isIn),
      ...otherMovements,
      ...fillMovements.filter((movement) => !isIn(movement))
    ]
  }
}
