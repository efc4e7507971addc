import type { WalletAddress } from "../../foundation/primitives/index.ts"
import type { TokenTransfer } from "./Simulation.ts"

export interface ArrivalSearch {
  readonly token: string
  readonly to: WalletAddress
  /** If absent, transfers from any sender count. */
  readonly from?: WalletAddress
}

/** Returns the amounts of a token that an account receives in these transfers, in base units. */
export const arrivalsAt = (
  transfers: ReadonlyArray<TokenTransfer>,
  { from, to, token }: ArrivalSearch
): ReadonlyArray<bigint> =>
  transfers.flatMap((each) =>
    each.token === token && each.to === to && (from === undefined || each.from === from) ? [each.amount] : []
  )

export const sumOfArrivals = (arrivals: ReadonlyArray<bigint>): bigint =>
  arrivals.reduce((sum, amount) => sum + amount, 0n)
