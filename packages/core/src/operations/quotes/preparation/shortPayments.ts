import {
  decimalFromBaseUnits,
  isNativeToken,
  proportionalAmounts,
  type WalletAddress
} from "../../../foundation/primitives/index.ts"
import type { Token } from "../../../foundation/tokens/index.ts"
import { arrivalsAt, sumOfArrivals, type TokenTransfer } from "../../user-operations/index.ts"

/** A planned payment of an operation. */
export interface PlannedPayment {
  readonly token: Token
  readonly to: WalletAddress
  /** Base units. */
  readonly amount: bigint
  /** The paying wallet. Absent if another party pays, such as the pool of a swap. */
  readonly from?: WalletAddress
}

const keyOf = ({ from, to, token }: PlannedPayment): string => `${token.address} ${to} ${from ?? ""}`

/**
 * Returns the received amount of each payment, according to the transfers in a simulation. With a fee-on-transfer
 * token, it is lower than the sent amount. Payments of one token to one account share the received amount. If the
 * simulation does not show a payment, returns its full amount.
 */
export const arrivingAmounts = (
  payments: ReadonlyArray<PlannedPayment>,
  transfers: ReadonlyArray<TokenTransfer>
): ReadonlyArray<bigint> => {
  const amounts = new Map<PlannedPayment, bigint>()
  for (const group of Map.groupBy(payments, keyOf).values()) {
    const { from, to, token } = group[0]!
    const sender = from === undefined ? {} : { from }
    const arrivals = isNativeToken(token.address) ? [] : arrivalsAt(transfers, { token: token.address, to, ...sender })
    const sentAmounts = group.map(({ amount }) => amount)
    const arrivedUnits = sumOfArrivals(arrivals)
    const isReduced = arrivals.length > 0 && arrivedUnits < sumOfArrivals(sentAmounts)
    const receivedAmounts = isReduced ? proportionalAmounts(arrivedUnits, sentAmounts) : sentAmounts
    for (const [index, payment] of group.entries()) amounts.set(payment, receivedAmounts[index]!)
  }
  return payments.map((payment) => amounts.get(payment)!)
}

/** Returns warnings about payments whose receiver gets less than is sent. */
export const shortPaymentWarnings = (
  { amount, to, token }: PlannedPayment,
  receivedAmount: bigint
): ReadonlyArray<string> => {
  const text = (units: bigint) => `${decimalFromBaseUnits(units, token.decimals)} ${token.symbol}`
  return receivedAmount < amount
    ? [
        `${token.symbol} charges a fee on transfers, or rebases (changes balances without transfers). If ${text(amount)} is sent to ${to}, only ${text(receivedAmount)} arrives.`
      ]
    : []
}
