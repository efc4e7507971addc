import { DateTime, Effect } from "effect"
import { tokenKey, usdE6RoundingDown } from "../../foundation/tokens/index.ts"
import type { MovedToken } from "./movedTokens.ts"
import { pricesWithTimeout } from "./pricesWithTimeout.ts"
import type { ValuedMovement } from "./profit.ts"

/** Values movements that were recorded without a value, at the price of their time if a source has it. */
export const withPastValues = Effect.fnUntraced(function* (tokensWithMovements: ReadonlyArray<MovedToken>) {
  const movementsWithoutValue = ({ movements }: MovedToken) => movements.filter(({ usdE6 }) => usdE6 === null)
  const requests = tokensWithMovements.flatMap((movedToken) => {
    const times = movementsWithoutValue(movedToken).map(({ atMs }) => DateTime.makeUnsafe(atMs))
    return times.length === 0 ? [] : [{ token: movedToken.token, ats: times }]
  })
  if (requests.length === 0) return tokensWithMovements
  const prices = yield* pricesWithTimeout(requests)
  return tokensWithMovements.map((movedToken): MovedToken => {
    const { movements, token } = movedToken
    const tokenPrices = prices.get(tokenKey(token)) ?? []
    const priceOf = new Map(
      movementsWithoutValue(movedToken).map((movement, index) => [movement, tokenPrices[index] ?? null])
    )
    const withValue = (movement: ValuedMovement): ValuedMovement => {
      const price = priceOf.get(movement) ?? null
      return price === null
        ? movement
        : { ...movement, usdE6: usdE6RoundingDown(movement.amount, token.decimals, price) }
    }
    return { token, movements: movements.map(withValue) }
  })
})
