import type { Movement } from "../../accounting/history/index.ts"
import {
  isPrincipal,
  legOf,
  type MovementPart,
  netMovements,
  type TaxEntry,
  type TaxTreatment,
  transferOf,
  withFees
} from "../../accounting/tax-treatment/index.ts"
import { minBigInt, proportionalAmounts } from "../../foundation/primitives/index.ts"
import { isToken } from "../../foundation/tokens/index.ts"
import { batchDetails, type QuotedSwap } from "./batchDetails.ts"

const isTokenMovement =
  (direction: Movement["direction"], token: string) =>
  ({ asset, direction: movementDirection }: Movement): boolean =>
    movementDirection === direction && isToken(asset) && asset.token === token

/**
 * Assigns the movements of a batch to its elements. `take` assigns up to an amount, and `rest` returns the unassigned
 * amounts.
 */
const createAllocator = (movements: ReadonlyArray<Movement>) => {
  const remainingAmounts = new Map(movements.map((movement) => [movement, movement.amount]))
  const take = (isWanted: (movement: Movement) => boolean, wantedAmount: bigint): ReadonlyArray<MovementPart> => {
    let missingUnits = wantedAmount
    return movements.filter(isWanted).flatMap((movement) => {
      const amount = minBigInt(remainingAmounts.get(movement)!, missingUnits)
      remainingAmounts.set(movement, remainingAmounts.get(movement)! - amount)
      missingUnits -= amount
      return amount > 0n ? [{ movement, amount }] : []
    })
  }
  const remainingParts = (): ReadonlyArray<MovementPart> =>
    [...remainingAmounts].flatMap(([movement, amount]) => (amount > 0n ? [{ movement, amount }] : []))
  return { take, rest: remainingParts }
}

/**
 * Returns the swaps among which an incoming movement is divided: those whose contracts paid it. If there are none,
 * returns all swaps that buy the token.
 */
const sharingSwapsOf = (swaps: ReadonlyArray<QuotedSwap>, movement: Movement): ReadonlyArray<QuotedSwap> => {
  const buyingSwaps = swaps.filter(
    ({ toAddress, tokenOut }) => toAddress === movement.account && isTokenMovement("IN", tokenOut)(movement)
  )
  const payingSwaps = buyingSwaps.filter(({ payers }) => payers.some((payer) => payer === movement.counterparty))
  return payingSwaps.length > 0 ? payingSwaps : buyingSwaps
}

/** Returns a swap's share of an incoming movement, in proportion to the quoted outputs of the swaps that share it. */
const boughtShare = (swap: QuotedSwap, swaps: ReadonlyArray<QuotedSwap>, movement: Movement): bigint => {
  const sharingSwaps = sharingSwapsOf(swaps, movement)
  const allocatedAmounts = proportionalAmounts(
    movement.amount,
    sharingSwaps.map(({ amountOut }) => amountOut)
  )
  return allocatedAmounts[sharingSwaps.indexOf(swap)] ?? 0n
}

/**
 * Creates an entry for each swap and for each transferred movement of the batch. The remaining movements count as
 * transfers, or as pass-through if they moved out and in again.
 */
export const batchTreatment: TaxTreatment = ({ isOwn, movements, transaction }) => {
  const elements = batchDetails.in(transaction) ?? []
  const swaps = elements.flatMap((element) => (element.type === "swap" ? [element] : []))
  const { rest, take } = createAllocator(movements.filter(isPrincipal))
  const transferParts = new Map(
    elements.flatMap((element) =>
      element.type === "transfer"
        ? [
            [
              element,
              take(
                (movement) =>
                  isTokenMovement("OUT", element.token)(movement) && movement.counterparty === element.toAddress,
                element.amount
              )
            ] as const
          ]
        : []
    )
  )
  const entries = elements.flatMap((element): ReadonlyArray<TaxEntry> => {
    if (element.type === "transfer") return transferParts.get(element)!.map((part) => transferOf(part, isOwn))
    const soldLegs = take(isTokenMovement("OUT", element.tokenIn), element.amountIn).map((part) =>
      legOf(part, "DISPOSAL")
    )
    if (soldLegs.length === 0) return []
    const boughtLegs = movements
      .filter(isPrincipal)
      .flatMap((movement) => take((each) => each === movement, boughtShare(element, swaps, movement)))
      .map((part) => legOf(part, "ACQUISITION"))
    return [{ legs: [...soldLegs, ...boughtLegs] }]
  })
  const { passThrough, rest: others } = netMovements(rest())
  return withFees(
    [
      ...entries,
      ...(passThrough.length === 0 ? [] : [{ legs: passThrough }]),
      ...others.map((part) => transferOf(part, isOwn))
    ],
    movements
  )
}
