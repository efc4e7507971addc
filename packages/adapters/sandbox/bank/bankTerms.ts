import { Schema } from "effect"

export const BankCurrency = Schema.Literals(["USD", "BRL", "MXN", "ARS"])
export type BankCurrency = typeof BankCurrency.Type

/** Exchange rates of the bank, in ten-thousandths of the currency per US dollar. */
const ratesE4: Readonly<Record<BankCurrency, bigint>> = { USD: 10_000n, BRL: 54_000n, MXN: 185_000n, ARS: 14_000_000n }

/** Currencies of deposits by BlindPay payment method. */
export const currencies: Readonly<Record<string, BankCurrency>> = {
  pix: "BRL",
  ach: "USD",
  wire: "USD",
  spei: "MXN",
  transfers: "ARS"
}

/** Fee per payment, in cents of its currency: one unit of the currency. */
export const FLAT_FEE = 100n
export const MIN_CENTS = 500n

const E4 = 10_000n

export const stablecoinFor = (currency: BankCurrency, cents: bigint): bigint =>
  cents <= FLAT_FEE ? 0n : ((cents - FLAT_FEE) * E4) / ratesE4[currency]

export const fiatFor = (currency: BankCurrency, cents: bigint): bigint => {
  const grossCents = (cents * ratesE4[currency]) / E4
  return grossCents <= FLAT_FEE ? 0n : grossCents - FLAT_FEE
}

export const isBankCurrency = (text: string): text is BankCurrency => text in ratesE4
