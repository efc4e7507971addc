import type { Address } from "@countersign/core/primitives"
import type { Hex } from "viem"
import { type LogAnswer, TRANSFER } from "../evm/index.ts"
import { narrow, wide } from "./deposits.ts"

/** A token that came to a receiver, and from whom. */
export interface Came {
  readonly token: Address
  readonly amount: bigint
  readonly from: Address
}

const transfersTo = (logs: ReadonlyArray<LogAnswer>, token: Address, receiver: Address): Came | null => {
  const found = logs.filter(
    ({ address, topics }) =>
      address.toLowerCase() === token && topics[0] === TRANSFER && topics[2]?.toLowerCase() === wide(receiver)
  )
  const [first] = found
  if (first === undefined) return null
  const amount = found.reduce((sum, { data }) => sum + BigInt(data), 0n)
  return { token, amount, from: narrow(first.topics[1] as Hex) }
}

/** Who was to get what by the calls that a fill made. */
export interface Handled {
  readonly receiver: Address
  readonly tokenOut: Address
  /** What was filled, which the receiver gets where a call failed. */
  readonly bridged: Address
}

/** What the logs of a fill brought to the receiver: what it was swapped for, else what was filled; null where it was neither. */
export const cameBy = (logs: ReadonlyArray<LogAnswer>, { bridged, receiver, tokenOut }: Handled): Came | null =>
  transfersTo(logs, tokenOut, receiver) ?? transfersTo(logs, bridged, receiver)
