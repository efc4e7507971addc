import { Schema } from "effect"
import { Address, mulDivRoundingUp, NATIVE_TOKEN } from "../../foundation/primitives/index.ts"
import { pricesOf, type StoredPrices, tokenKey } from "../../foundation/tokens/index.ts"
import { type Intent, isUserOperation } from "../intents/index.ts"
import { UNPRICED_USD_E6 } from "./budgets.ts"

/** The maximum gas that the operations of one quote may leave unpaid. */
export const MaxUnpaidGas = Schema.Struct({
  owner: Address,
  /** Maximum amount in millionths of a US dollar. */
  usdE6: Schema.BigInt,
  /** Whether one of the operations grants the allowance that pays its gas. */
  isFirstUse: Schema.Boolean
})
export type MaxUnpaidGas = typeof MaxUnpaidGas.Type

const E30 = 10n ** 30n

/**
 * Returns the gas that a quote's operations may leave unpaid, at the native token's price in the quote. If the price is
 * unknown, each operation counts as `UNPRICED_USD_E6`. Null if the operations can't leave any gas unpaid.
 */
export const maxUnpaidGasOf = ({
  intents,
  prices
}: {
  readonly intents: ReadonlyArray<Intent>
  readonly prices: typeof StoredPrices.Type
}): MaxUnpaidGas | null => {
  const unpaidIntents = intents.filter(isUserOperation).filter(({ gas }) => gas.unpaidWei > 0n)
  const [first] = unpaidIntents
  if (first === undefined) return null
  const priceE18 = pricesOf(prices).get(tokenKey({ chainId: first.operation.chainId, address: NATIVE_TOKEN }))
  return {
    owner: first.account.owner,
    usdE6: unpaidIntents.reduce(
      (sum, { gas }) =>
        sum + (priceE18 === undefined ? UNPRICED_USD_E6 : mulDivRoundingUp(gas.unpaidWei, priceE18, E30)),
      0n
    ),
    isFirstUse: unpaidIntents.some(({ gas }) => gas.isFirstUse)
  }
}
