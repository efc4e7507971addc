import { type MovementValue, movementValue } from "../../accounting/history/index.ts"
import { pricesOf, type Token, tokenKey } from "../../foundation/tokens/index.ts"
import type { Quote } from "./Quote.ts"

/** Returns the value of an amount at the quote's price. Unknown if the quote has no price for the token. */
export const quotedValue = ({ prices }: Pick<Quote, "prices">, token: Token, amount: bigint): MovementValue => {
  const usd = pricesOf(prices).get(tokenKey(token))
  return movementValue(amount, token, usd === undefined ? undefined : { usd, source: "QUOTE" })
}
