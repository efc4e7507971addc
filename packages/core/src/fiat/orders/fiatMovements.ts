import type { Movement } from "../../accounting/history/index.ts"
import type { FiatOrder, FiatQuote } from "./FiatOrder.ts"

const commonFields = { role: "PRINCIPAL", usd: null } as const

/**
 * Builds the off-chain fiat movement of an order: paid in for a deposit, paid out for a withdrawal. For a return, the
 * caller sets the direction.
 */
export const bankMovement = (
  quote: FiatQuote,
  amount: bigint,
  direction: Movement["direction"] = quote.direction === "DEPOSIT" ? "OUT" : "IN"
): Movement => ({
  ...commonFields,
  direction,
  account: quote.walletAddress,
  asset: { currency: quote.currency },
  amount,
  counterparty: quote.provider,
  leg: null
})

export const tokenMovement = (
  { chainId, token, walletAddress }: FiatQuote,
  direction: Movement["direction"],
  { amount, counterparty, usd = null }: Pick<Movement, "amount" | "counterparty"> & { readonly usd?: string | null },
  leg: number | null
): Movement => ({
  ...commonFields,
  usd,
  direction,
  account: walletAddress,
  asset: { chainId, token: token.address },
  amount,
  counterparty,
  leg
})

/** Returns the fiat movements of an order that has ended. Empty if no fiat payment was completed or refunded. */
export const bankMovements = (
  { fiatAmount, quote, state }: Pick<FiatOrder, "fiatAmount" | "quote" | "state">,
  paidAmount: bigint | null
): ReadonlyArray<Movement> => {
  if (state === "COMPLETED") return [bankMovement(quote, fiatAmount)]
  if (state !== "REFUNDED" || paidAmount === null) return []
  return [bankMovement(quote, paidAmount, "OUT"), bankMovement(quote, paidAmount, "IN")]
}

export const isBankMovement = ({ asset }: Movement): boolean => "currency" in asset
