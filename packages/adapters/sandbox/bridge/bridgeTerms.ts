import type { EvmChainId } from "@countersign/core/foundation/chains"
import { BankError } from "../bank/BankError.ts"

/** Exchange rates in units of a currency per US dollar, at which Bridge buys and sells US dollars. */
const rates: Readonly<Record<string, readonly [buy: string, sell: string]>> = {
  brl: ["5.41", "5.39"],
  mxn: ["18.6", "18.4"]
}

/** Exchange rates in US dollars per unit of a currency. */
const dollarRates: Readonly<Record<string, readonly [buy: string, sell: string]>> = {
  brl: ["0.185", "0.186"],
  mxn: ["0.0538", "0.0544"]
}

/** Minimum deposit in BRL, in cents. */
export const MIN_BRL_CENTS = 1_000n

export const chains: Readonly<Record<string, EvmChainId>> = {
  ethereum: 1,
  optimism: 10,
  polygon: 137,
  base: 8453,
  arbitrum: 42161,
  avalanche_c_chain: 43114
}

/** Required fields by type of external account. https://apidocs.bridge.xyz/api-reference/external-accounts */
export const accountFields: Readonly<Record<string, ReadonlyArray<string>>> = {
  us: ["account_owner_name", "account", "address", "account_owner_type"],
  clabe: ["account_owner_name", "clabe"],
  pix: ["account_owner_name", "pix_key"]
}

/** Builds the body of `GET /v0/exchange_rates`. */
export const exchangeRates = (from: string, to: string) => {
  const rate = from === "usd" ? rates[to] : dollarRates[from]
  if (rate === undefined) throw new BankError(`no rate from ${from} to ${to}`)
  const [buy_rate, sell_rate] = rate
  return { midmarket_rate: buy_rate, buy_rate, sell_rate }
}

const UNITS_OF_A_CENT = 10_000n

const atRateRoundingDown = (amount: bigint, rate: string): bigint => {
  const [whole = "0", fraction = ""] = rate.split(".")
  return (amount * BigInt(whole + fraction)) / 10n ** BigInt(fraction.length)
}

/** Converts cents of a currency to base units of USDC. Rounded down, because Bridge keeps the remainder. */
export const unitsForCentsRoundingDown = (currency: string, cents: bigint): bigint =>
  atRateRoundingDown(cents * UNITS_OF_A_CENT, currency === "usd" ? "1" : dollarRates[currency]![0])

/** Converts base units of USDC to cents of a currency. Rounded down, because Bridge keeps the remainder. */
export const centsForUnitsRoundingDown = (currency: string, units: bigint): bigint =>
  atRateRoundingDown(units, currency === "usd" ? "1" : rates[currency]![1]) / UNITS_OF_A_CENT
