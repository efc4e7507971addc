import type { Movement } from "../history/index.ts"
import { lesser, mulDivRoundingDown } from "../primitives/index.ts"
import {
  isPrincipal,
  legOf,
  type MovementPart,
  netted,
  type TaxEntry,
  type TaxTreatment,
  transferOf,
  withFees
} from "../tax-treatment/index.ts"
import { isToken } from "../tokens/index.ts"
import { batchDetails, type QuotedSwap } from "./batchDetails.ts"

const isOf =
  (direction: Movement["direction"], token: string) =>
  ({ asset, direction: way }: Movement): boolean =>
    way === direction && isToken(asset) && asset.token === token

/** What is left of a batch's movements, from which its elements take their parts. */
const remainder = (movements: ReadonlyArray<Movement>) => {
  const left = new Map(movements.map((movement) => [movement, movement.amount]))
  const take = (isWanted: (movement: Movement) => boolean, wanted: bigint): ReadonlyArray<MovementPart> => {
    let missing = wanted
    return movements.filter(isWanted).flatMap((movement) => {
      const amount = lesser(left.get(movement)!, missing)
      left.set(movement, left.get(movement)! - amount)
      missing -= amount
      return amount > 0n ? [{ movement, amount }] : []
    })
  }
  const rest = (): ReadonlyArray<MovementPart> =>
    [...left].flatMap(([movement, amount]) => (amount > 0n ? [{ movement, amount }] : []))
  return { take, rest }
}

/** The swaps that share a movement of their output: those whose contracts paid it, or else all that buy the token. */
const sharersOf = (swaps: ReadonlyArray<QuotedSwap>, movement: Movement): ReadonlyArray<QuotedSwap> => {
  const buying = swaps.filter(
    ({ toAddress, tokenOut }) => toAddress === movement.account && isOf("IN", tokenOut)(movement)
  )
  const paid = buying.filter(({ payers }) => payers.some((payer) => payer === movement.counterparty))
  return paid.length > 0 ? paid : buying
}

/** The part of a movement that a swap bought: by the quoted amounts of all swaps that share it. Parts add up to the movement. */
const boughtPart = (swap: QuotedSwap, swaps: ReadonlyArray<QuotedSwap>, movement: Movement): bigint => {
  const sharers = sharersOf(swaps, movement)
  const place = sharers.indexOf(swap)
  if (place < 0) return 0n
  const quoted = (count: number) => sharers.slice(0, count).reduce((sum, { amountOut }) => sum + amountOut, 0n)
  const until = (count: number) => mulDivRoundingDown(movement.amount, quoted(count), quoted(sharers.length))
  return until(place + 1) - until(place)
}

/** Each element is an entry of its own: a transfer, or an exchange. What belongs to no element is a transfer too. */
export const batchTreatment: TaxTreatment = ({ isOwn, movements, transaction }) => {
  const elements = batchDetails.in(transaction) ?? []
  const swaps = elements.flatMap((element) => (element.type === "swap" ? [element] : []))
  const { rest, take } = remainder(movements.filter(isPrincipal))
  const transferred = new Map(
    elements.flatMap((element) =>
      element.type === "transfer"
        ? [
            [
              element,
              take(
                (movement) => isOf("OUT", element.token)(movement) && movement.counterparty === element.toAddress,
                element.amount
              )
            ] as const
          ]
        : []
    )
  )
  const entries = elements.flatMap((element): ReadonlyArray<TaxEntry> => {
    if (element.type === "transfer") return transferred.get(element)!.map((part) => transferOf(part, isOwn))
    const given = take(isOf("OUT", element.tokenIn), element.amountIn).map((part) => legOf(part, "DISPOSAL"))
    if (given.length === 0) return []
    const bought = movements
      .filter(isPrincipal)
      .flatMap((movement) => take((each) => each === movement, boughtPart(element, swaps, movement)))
      .map((part) => legOf(part, "ACQUISITION"))
    return [{ legs: [...given, ...bought] }]
  })
  const { passing, rest: others } = netted(rest())
  return withFees(
    [
      ...entries,
      ...(passing.length === 0 ? [] : [{ legs: passing }]),
      ...others.map((part) => transferOf(part, isOwn))
    ],
    movements
  )
}
