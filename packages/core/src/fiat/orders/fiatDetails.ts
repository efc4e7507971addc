import { Schema } from "effect"
import { detailsKind } from "../../accounting/history/index.ts"
import { decimalFromBaseUnits } from "../../foundation/primitives/index.ts"
import { currencyDigits } from "../../foundation/tokens/index.ts"
import type { FiatOrder, FiatQuote } from "./FiatOrder.ts"

/** An amount in units of a currency or token, and the code of the currency or token. */
export const MoneyAmount = Schema.Struct({ currency: Schema.String, amount: Schema.String })
export type MoneyAmount = typeof MoneyAmount.Type

/** The order data in the `details` of a transaction. */
export const fiatDetails = detailsKind(
  "fiat",
  Schema.Struct({ orderId: Schema.String, from: MoneyAmount, to: MoneyAmount })
)

type Amounts = Pick<FiatOrder, "quote" | "fiatAmount" | "receivedAmount">

/** Returns the input and output amounts: the quoted amounts until the actual ones are known. */
export const exchangedAmountsOf = ({
  fiatAmount,
  quote: { currency, direction, token, tokenAmount },
  receivedAmount
}: Amounts): { readonly from: MoneyAmount; readonly to: MoneyAmount } => {
  const bank = { currency, amount: decimalFromBaseUnits(fiatAmount, currencyDigits(currency)) }
  const amount = decimalFromBaseUnits(receivedAmount ?? tokenAmount, token.decimals)
  const wallet = { currency: token.symbol, amount }
  return direction === "DEPOSIT" ? { from: bank, to: wallet } : { from: wallet, to: bank }
}

export const quotedAmountsOf = (quote: FiatQuote) =>
  exchangedAmountsOf({ quote, fiatAmount: quote.fiatAmount, receivedAmount: null })

export const orderDetails = (order: Amounts & Pick<FiatOrder, "id">) =>
  fiatDetails.of({ orderId: order.id, ...exchangedAmountsOf(order) })
