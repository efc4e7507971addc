import type { Movement } from "../../history/index.ts"
import type { TokenTransfer } from "../provider/TokenTransfers.ts"
import type { FiatQuote } from "./FiatOrder.ts"

const common = { role: "PRINCIPAL", usd: null } as const

/** Money of the bank, which is on no chain. */
export const bankMovement = (quote: FiatQuote, amount: bigint): Movement => ({
  ...common,
  direction: quote.direction === "DEPOSIT" ? "OUT" : "IN",
  account: quote.walletAddress,
  asset: { currency: quote.currency },
  amount,
  counterparty: quote.provider,
  leg: null
})

export const tokenMovement = (
  { chainId, token, walletAddress }: FiatQuote,
  direction: Movement["direction"],
  { amount, counterparty }: Pick<TokenTransfer, "amount"> & { readonly counterparty: string },
  leg: number | null
): Movement => ({
  ...common,
  direction,
  account: walletAddress,
  asset: { chainId, token: token.address },
  amount,
  counterparty,
  leg
})
