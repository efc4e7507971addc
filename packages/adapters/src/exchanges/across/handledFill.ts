import type { Address } from "@countersign/core/foundation/primitives"
import { amountOf, type IncomingTransfer } from "@countersign/core/operations/executions"
import type { Hex } from "viem"
import { type LogResponse, TRANSFER } from "../../chains/evm/index.ts"
import { addressToWord, wordToAddress } from "./deposits.ts"

export interface ReceiptLog extends LogResponse {
  readonly position: number
}

/** A token amount that a receiver got, and the first sender of it. */
export interface ArrivedToken {
  readonly token: Address
  readonly amount: bigint
  readonly from: Address
  readonly transfers: ReadonlyArray<IncomingTransfer>
}

/** Sums the transfers of a token to a receiver. Null if the sum is zero. */
export const findArrivedToken = (
  logs: ReadonlyArray<ReceiptLog>,
  token: Address,
  receiver: Address
): ArrivedToken | null => {
  const receivedLogs = logs.filter(
    ({ address, topics }) =>
      address.toLowerCase() === token && topics[0] === TRANSFER && topics[2]?.toLowerCase() === addressToWord(receiver)
  )
  const [first] = receivedLogs
  if (first === undefined) return null
  const transfers = receivedLogs
    .map(({ data, position }) => ({ index: position, amount: BigInt(data) }))
    .filter(({ amount }) => amount > 0n)
  const amount = amountOf(transfers)
  return amount === 0n ? null : { token, amount, from: wordToAddress(first.topics[1] as Hex), transfers }
}

/** A fill whose message swaps the filled token. */
export interface SwappedFill {
  readonly receiver: Address
  readonly tokenOut: Address
  readonly minAmountOut: bigint
  /** The filled token, which the receiver gets if the swap fails. */
  readonly bridged: Address
}

/**
 * Returns the token that a fill delivered to its receiver; null if it delivered none. The handler either swaps for at
 * least the minimum or pays the filled token. If the filled token arrived, an amount below the minimum does not count,
 * because anyone can send a few units of the output token in the same transaction.
 */
export const arrivedByFill = (
  logs: ReadonlyArray<ReceiptLog>,
  { bridged, minAmountOut, receiver, tokenOut }: SwappedFill
): ArrivedToken | null => {
  const swapOutput = findArrivedToken(logs, tokenOut, receiver)
  if (swapOutput !== null && swapOutput.amount >= minAmountOut) return swapOutput
  return findArrivedToken(logs, bridged, receiver) ?? swapOutput
}
