import { DateTime, Effect } from "effect"
import { tokenKey, usdE6RoundingDown } from "../../foundation/tokens/index.ts"
import type { MovedToken } from "./movedTokens.ts"
import { pricesWithTimeout } from "./pricesWithTimeout.ts"
import type { ValuedMovement } from "./profit.ts"

/** Values movements that were recorded without a value, at the price of their time if a source has it. */
export const withPastValues = Effect.fnUntraced(function* (tokensWithMovements: ReadonlyArray<MovedToken>) {
  const movementsWithoutValue = ({ movements }: MovedToken) => movements.filter(({ usdE6 }) => usdE6 === null)
  const requests = tokensWithMovements.flatMap((one) => {
    const times = movementsWithoutValue(one).map(({ atMs }) => DateTime.makeUnsafe(atMs))
    return times.length === 0 ? [] : [{ token: one.token, ats: times }]
  })
  if (requests.length === 0) return tokensWithMovements
  const prices = yield* pricesWithTimeout(requests)
  return tokensWithMovements.map((one): MovedToken => {
    const { movements, token } = one
    const tokenPrices = prices.get(tokenKey(token)) ?? []
    const priceOf = new Map(movementsWithoutValue(one).map((movement, index) => [movement, tokenPrices[index] ?? null]))
    const withValue = (movement: ValuedMovement): ValuedMovement => {
      const price = priceOf.get(movement) ?? null
      return price === null
        ? movement
        : { ...movement, usdE6: usdE6RoundingDown(movement.amount, token.decimals, price) }
    }
    return { token, movements: movements.map(withValue) }
  })
})
