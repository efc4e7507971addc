import type { Address } from "@countersign/core/foundation/primitives"
import { amountOf, type IncomingTransfer } from "@countersign/core/operations/executions"
import type { Hex } from "viem"
import { type LogAnswer, TRANSFER } from "../../chains/evm/index.ts"
import { narrow, wide } from "./deposits.ts"

/** A log with its index in the receipt. */
export interface ReceiptLog extends LogAnswer {
  readonly position: number
}

/** A token that arrived at a receiver, and its first sender. */
export interface ArrivedToken {
  readonly token: Address
  readonly amount: bigint
  readonly from: Address
  readonly transfers: ReadonlyArray<IncomingTransfer>
}

/** The sum of a token's transfers to a receiver; null if there are none. */
export const arrivedIn = (logs: ReadonlyArray<ReceiptLog>, token: Address, receiver: Address): ArrivedToken | null => {
  const found = logs.filter(
    ({ address, topics }) =>
      address.toLowerCase() === token && topics[0] === TRANSFER && topics[2]?.toLowerCase() === wide(receiver)
  )
  const [first] = found
  if (first === undefined) return null
  const transfers = found
    .map(({ data, position }) => ({ index: position, amount: BigInt(data) }))
    .filter(({ amount }) => amount > 0n)
  const amount = amountOf(transfers)
  return amount === 0n ? null : { token, amount, from: narrow(first.topics[1] as Hex), transfers }
}

/** A fill whose message swaps it. */
export interface SwappedFill {
  readonly receiver: Address
  readonly tokenOut: Address
  /** The minimum output of the swap. */
  readonly minAmountOut: bigint
  /** The token of the fill, which the receiver gets if the swap fails. */
  readonly bridged: Address
}

/**
 * The token that a fill brought to its receiver; null if it brought none. The handler either swaps for at least the
 * minimum or pays the filled token, but anyone can send a few units of the token in the same transaction.
 */
export const arrivedByFill = (
  logs: ReadonlyArray<ReceiptLog>,
  { bridged, minAmountOut, receiver, tokenOut }: SwappedFill
): ArrivedToken | null => {
  const swapped = arrivedIn(logs, tokenOut, receiver)
  if (swapped !== null && swapped.amount >= minAmountOut) return swapped
  return arrivedIn(logs, bridged, receiver) ?? swapped
}
