import {
  decimalFromBaseUnits,
  isNativeCoin,
  proportionalParts,
  type WalletAddress
} from "../../../foundation/primitives/index.ts"
import type { Token } from "../../../foundation/tokens/index.ts"
import { arrivalsAt, sumOfArrivals, type TokenTransfer } from "../../user-operations/index.ts"

/** A payment that an operation makes, by its plan. */
export interface PlannedPayment {
  readonly token: Token
  readonly to: WalletAddress
  /** Base units. */
  readonly amount: bigint
  /** The wallet that pays; left out where others pay, such as the pools of a swap. */
  readonly from?: WalletAddress
}

const keyOf = ({ from, to, token }: PlannedPayment): string => `${token.address} ${to} ${from ?? ""}`

/**
 * The amount of each payment that arrives, as the transfers of a run show. A token that takes a fee on its transfers delivers less
 * than is sent. Payments of one token to one account share what arrives there. All of a payment that the run does not show.
 */
export const arrivingAmounts = (
  payments: ReadonlyArray<PlannedPayment>,
  transfers: ReadonlyArray<TokenTransfer>
): ReadonlyArray<bigint> => {
  const amounts = new Map<PlannedPayment, bigint>()
  for (const group of Map.groupBy(payments, keyOf).values()) {
    const { from, to, token } = group[0]!
    const sender = from === undefined ? {} : { from }
    const arrivals = isNativeCoin(token.address) ? [] : arrivalsAt(transfers, { token: token.address, to, ...sender })
    const sent = group.map(({ amount }) => amount)
    const arrived = sumOfArrivals(arrivals)
    const isShort = arrivals.length > 0 && arrived < sumOfArrivals(sent)
    const parts = isShort ? proportionalParts(arrived, sent) : sent
    for (const [place, payment] of group.entries()) amounts.set(payment, parts[place]!)
  }
  return payments.map((payment) => amounts.get(payment)!)
}

/** A sentence on a payment of which less arrives than is sent; none where all of it arrives. */
export const shortPaymentWarnings = (
  { amount, to, token }: PlannedPayment,
  arriving: bigint
): ReadonlyArray<string> => {
  const text = (units: bigint) => `${decimalFromBaseUnits(units, token.decimals)} ${token.symbol}`
  return arriving < amount
    ? [
        `${token.symbol} takes a fee on its transfers, or changes balances by itself: of ${text(amount)} that are sent to ${to}, ${text(arriving)} arrive.`
      ]
    : []
}
