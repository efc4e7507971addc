import type { DateTime } from "effect"
import type { Leg, Movement, MovementValue, Transaction } from "../../accounting/history/index.ts"
import type { ChainId } from "../../foundation/chains/index.ts"
import type { Address, Hash32, WalletAddress } from "../../foundation/primitives/index.ts"
import type { FillSide, OrderFill } from "./OrderBook.ts"

/** The data of an order that the movements of its fills need. */
export interface FillScope {
  readonly chainId: ChainId
  readonly stage: number
  readonly wallet: WalletAddress
  readonly receiver: WalletAddress
  readonly sellToken: Address
  readonly buyToken: Address
  /** The order book's settlement contract, which is the counterparty of the movements. */
  readonly settlement: Address
  /** Returns the value of a fill's side at the time of the fill. */
  readonly valueOf: (side: FillSide, fill: OrderFill) => MovementValue
}

/** A fill, and those sides whose transfers this operation has claimed. */
export interface ClaimedFill extends OrderFill {
  readonly claimed: ReadonlySet<FillSide>
}

/** Returns the transaction hashes of the fills that a stage has recorded. */
export const recordedFillHashes = ({ legs }: Transaction, stage: number): ReadonlyArray<Hash32> =>
  legs.flatMap((leg) => (leg.stage === stage && leg.hash !== null ? [leg.hash] : []))

/** The substatus of an order that the order book has cancelled, or that the wallet has invalidated on-chain. */
export const CANCELLED = "CANCELLED"

/**
 * Marks the order's transaction as cancelled: CANCELLED, or PARTIALLY_COMPLETED if it has fills. Afterwards, only a
 * settlement in flight can still fill the order.
 */
export const withCancellation = (transaction: Transaction, stage: number, at: DateTime.Utc): Transaction => ({
  ...transaction,
  status: recordedFillHashes(transaction, stage).length === 0 ? "CANCELLED" : "PARTIALLY_COMPLETED",
  substatus: CANCELLED,
  updatedAt: at,
  executedAt: at
})

const valueIn = ({ usd, usdSource }: Movement): MovementValue =>
  usdSource === undefined ? { usd } : { usd, usdSource }

/** Returns the recorded movement of a fill's side. It keeps its value, which is the value at the time of the fill. */
const findRecordedMovement = (
  { legs, movements }: Transaction,
  { hash }: OrderFill,
  { amount, direction }: Pick<Movement, "amount" | "direction">
): Movement | undefined =>
  movements.find(
    (movement) =>
      movement.leg !== null &&
      legs[movement.leg]?.hash === hash &&
      movement.direction === direction &&
      movement.amount === amount
  )

const movementsOf = (
  transaction: Transaction,
  fill: ClaimedFill,
  leg: number,
  scope: FillScope
): ReadonlyArray<Movement> => {
  const { buyToken, chainId, receiver, sellToken, settlement, valueOf, wallet } = scope
  const sides = [
    { side: "sold", direction: "OUT", account: wallet, token: sellToken },
    { side: "bought", direction: "IN", account: receiver, token: buyToken }
  ] as const
  return sides
    .filter(({ side }) => fill.claimed.has(side))
    .map(({ account, direction, side, token }) => {
      const earlierMovement = findRecordedMovement(transaction, fill, { direction, amount: fill[side] })
      return {
        role: "PRINCIPAL",
        counterparty: settlement,
        leg,
        direction,
        account,
        asset: { chainId, token },
        amount: fill[side],
        ...(earlierMovement === undefined ? valueOf(side, fill) : valueIn(earlierMovement))
      }
    })
}

/** Returns whether other operations have recorded transfers that belong to this stage's fills. */
export const isRecordedElsewhere = ({ legs, movements }: Transaction, stage: number): boolean =>
  legs.some(
    (leg, index) =>
      leg.stage === stage && leg.hash !== null && movements.filter((movement) => movement.leg === index).length < 2
  )

/**
 * Returns the transaction with one leg per fill of the order, and with the claimed movements. `fills` replaces the
 * recorded fills, so it includes earlier ones. If it is empty, the legs stay.
 */
export const withFills = (
  transaction: Transaction,
  fills: ReadonlyArray<ClaimedFill>,
  scope: FillScope
): Transaction => {
  const isOther = (leg: Leg | undefined) => leg === undefined || leg.stage !== scope.stage
  const otherLegs = transaction.legs.filter(isOther)
  const legIndices = transaction.legs.map((leg) => otherLegs.indexOf(leg))
  const otherMovements = transaction.movements
    .filter(({ leg }) => leg === null || isOther(transaction.legs[leg]))
    .map((movement) => (movement.leg === null ? movement : { ...movement, leg: legIndices[movement.leg] ?? null }))
  const legs = fills.map(
    ({ block, hash }): Leg => ({ chainId: scope.chainId, hash, block, state: "INCLUDED", stage: scope.stage })
  )
  const fillMovements = fills.flatMap((fill, i) => movementsOf(transaction, fill, otherLegs.length + i, scope))
  const isIn = ({ direction }: Movement) => direction === "IN"
  return {
    ...transaction,
    legs: fills.length === 0 ? transaction.legs : [...otherLegs, ...legs],
    // The API shows the first IN movement as the bought amount, and the first OUT movement as the sold amount. If the
    // operation wrapped native tokens for the order, its OUT movement of native tokens therefore precedes those of the
    // fills.
    movements: [
      ...fillMovements.filter(isIn),
      ...otherMovements,
      ...fillMovements.filter((movement) => !isIn(movement))
    ]
  }
}
