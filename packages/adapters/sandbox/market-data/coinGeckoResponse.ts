import { fiatCodes } from "@countersign/core/foundation/tokens"
import { sandboxFiatRates } from "../settings/sandboxFiatRates.ts"
import { sandboxPriceE6 } from "./sandboxPrices.ts"

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** CoinGecko returns hourly prices up to 90 days, and daily prices for longer ranges. */
const HOURLY_MS = 90 * DAY_MS
const MAX_POINTS = 20_000

const usdOf = (coin: string, atMs: number): number | null => {
  const priceE6 = sandboxPriceE6(coin, atMs)
  return priceE6 === null ? null : Number(priceE6) / 1e6
}

const simplePrices = (names: ReadonlyArray<string>, prefix: string, nowMs: number) =>
  Object.fromEntries(
    names.flatMap((name) => {
      const usd = usdOf(`${prefix}${name}`, nowMs)
      return usd === null ? [] : [[name, { usd, last_updated_at: Math.floor(nowMs / 1_000) }]]
    })
  )

const chart = (coin: string, fromMs: number, toMs: number, nowMs: number) => {
  const step = toMs - fromMs > HOURLY_MS ? DAY_MS : HOUR_MS
  const firstMs = Math.ceil(fromMs / step) * step
  const count = Math.min(MAX_POINTS, Math.max(0, Math.floor((Math.min(toMs, nowMs) - firstMs) / step) + 1))
  const times = Array.from({ length: count }, (_, i) => firstMs + i * step)
  return { prices: times.map((ms) => [ms, usdOf(coin, ms)]) }
}

/** Returns the units of each currency per bitcoin. */
const unitsPerBitcoin = (atMs: number) =>
  fiatCodes.flatMap((code) => {
    const perUsdE18 = sandboxFiatRates.get(code)
    const usdE6 = sandboxPriceE6("bitcoin", atMs)
    if (perUsdE18 === undefined || usdE6 === null) return []
    return [[code, code === "btc" ? 1 : (Number(perUsdE18) / 1e18) * (Number(usdE6) / 1e6)] as const]
  })

/** Parses a date in the format `dd-mm-yyyy` as midnight UTC, in Unix milliseconds. */
const dayMs = (text: string): number => Date.parse(text.split("-").reverse().join("-"))

/**
 * Emulates CoinGecko's API with the sandbox's prices, so that the service uses its production adapter. Null for an
 * unknown coin or path.
 */
export const coinGeckoResponseOrNull = (path: string, query: URLSearchParams, nowMs: number): unknown => {
  const millisecondsOf = (name: string) => Number(query.get(name)) * 1_000
  if (path === "/simple/price") return simplePrices((query.get("ids") ?? "").split(","), "", nowMs)
  const platform = /^\/simple\/token_price\/([\w-]+)$/u.exec(path)?.[1]
  if (platform !== undefined) {
    return simplePrices((query.get("contract_addresses") ?? "").split(","), `${platform}:`, nowMs)
  }
  if (path === "/exchange_rates") {
    return { rates: Object.fromEntries(unitsPerBitcoin(nowMs).map(([code, value]) => [code, { name: code, value }])) }
  }
  const [, coinPath, resource] =
    /^\/coins\/([\w-]+(?:\/contract\/\w+)?)\/(market_chart\/range|history)$/u.exec(path) ?? []
  const coin = coinPath?.replace("/contract/", ":") ?? ""
  if (sandboxPriceE6(coin, nowMs) === null) return null
  if (resource === "market_chart/range") return chart(coin, millisecondsOf("from"), millisecondsOf("to"), nowMs)
  const day = dayMs(query.get("date") ?? "")
  return coin === "bitcoin" && day <= nowMs
    ? { id: coin, market_data: { current_price: Object.fromEntries(unitsPerBitcoin(day)) } }
    : { id: coin }
}
