import { Schema } from "effect"
import { detailsKind } from "../../history/index.ts"
import { decimalFromBaseUnits } from "../../primitives/index.ts"
import { currencyDigits } from "../../tokens/index.ts"
import type { FiatOrder, FiatQuote } from "./FiatOrder.ts"

/** An amount in whole units of a currency or of a token, by its code. */
export const MoneyAmount = Schema.Struct({ currency: Schema.String, amount: Schema.String })
export type MoneyAmount = typeof MoneyAmount.Type

/** What a transaction says of the order that it is of. */
export const fiatDetails = detailsKind(
  "fiat",
  Schema.Struct({ orderId: Schema.String, from: MoneyAmount, to: MoneyAmount })
)

/** What is given and what is got. */
export const sidesOf = (
  { currency, direction, token, tokenAmount }: FiatQuote,
  fiatAmount: bigint
): { readonly from: MoneyAmount; readonly to: MoneyAmount } => {
  const bank = { currency, amount: decimalFromBaseUnits(fiatAmount, currencyDigits(currency)) }
  const wallet = { currency: token.symbol, amount: decimalFromBaseUnits(tokenAmount, token.decimals) }
  return direction === "DEPOSIT" ? { from: bank, to: wallet } : { from: wallet, to: bank }
}

export const detailsOfOrder = (order: Pick<FiatOrder, "id" | "quote" | "fiatAmount">) =>
  fiatDetails.of({ orderId: order.id, ...sidesOf(order.quote, order.fiatAmount) })
