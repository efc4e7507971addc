import type { ExchangeRates, PastPrice } from "@countersign/core/accounting/market-data"
import { type FiatCode, fiatCodes, type TokenRef, tokenKey } from "@countersign/core/foundation/tokens"
import { Array, Clock, DateTime, Effect, Option, type Redacted, Schema } from "effect"
import { NumberText, scaledE18RoundingDown } from "../../outbound/json-api/index.ts"
import { type CoinGeckoToken, coinGeckoTokenOrNull } from "./coinIds.ts"
import { type MarketDataClient, marketHost } from "./MarketDataClient.ts"
import { lastAtOrBefore, type NamedSource } from "./NamedSource.ts"

/** Whether requests use no key, a key of the demo plan, or a key of a paid plan. */
export type CoinGeckoPlan = "none" | "demo" | "pro"

export interface CoinGeckoOptions {
  readonly plan: CoinGeckoPlan
  readonly apiKey: Redacted.Redacted<string> | null
  /** Base URL of the API; null for the URL of the plan. */
  readonly url: string | null
}

const PUBLIC_URL = "https://api.coingecko.com/api/v3"
const plans: Record<CoinGeckoPlan, { readonly url: string; readonly header: string | null }> = {
  none: { url: PUBLIC_URL, header: null },
  demo: { url: PUBLIC_URL, header: "x-cg-demo-api-key" },
  pro: { url: "https://pro-api.coingecko.com/api/v3", header: "x-cg-pro-api-key" }
}

const NAME = "coingecko"
/** Ids per request. Keeps the URL shorter than the limit of proxies. */
const IDS_PER_BATCH = 100
/** Contracts per request. Only paid plans accept several. */
const maxContractsPerRequest: Record<CoinGeckoPlan, number> = { none: 1, demo: 1, pro: 100 }
const DAY_MS = 86_400_000
/**
 * Longest time range with hourly prices. The API returns up to 90 days by the hour and longer ranges by the day, and
 * the requested range starts a day early.
 */
const HOURLY_MS = 88 * DAY_MS

const maybeNumber = Schema.optionalKey(Schema.NullOr(NumberText))
const SimplePrices = Schema.Record(Schema.String, Schema.Struct({ usd: maybeNumber, last_updated_at: maybeNumber }))
const MarketChart = Schema.Struct({ prices: Schema.Array(Schema.Tuple([NumberText, Schema.NullOr(NumberText)])) })
const Rates = Schema.Struct({ rates: Schema.Record(Schema.String, Schema.Struct({ value: NumberText })) })
const History = Schema.Struct({
  market_data: Schema.optionalKey(
    Schema.Struct({ current_price: Schema.Record(Schema.String, Schema.NullOr(NumberText)) })
  )
})

const scaledE18OrNull = (number: string | null | undefined): bigint | null =>
  number == null ? null : Option.getOrNull(scaledE18RoundingDown(number))

const priceOrNull = (usd: string | null | undefined, atMs: number): PastPrice | null => {
  const price = scaledE18OrNull(usd)
  const priceAt = Option.getOrNull(DateTime.make(atMs))
  return price === null || priceAt === null ? null : { usd: price, at: priceAt, source: NAME }
}

/** Converts amounts of each currency per bitcoin to amounts per US dollar, rounded down. */
const perUsd = (perBitcoin: Readonly<Record<string, string | null>>, at: DateTime.Utc): ExchangeRates | null => {
  const usd = scaledE18OrNull(perBitcoin.usd)
  if (usd === null) return null
  const rates = fiatCodes.flatMap((code): ReadonlyArray<readonly [FiatCode, bigint]> => {
    const units = scaledE18OrNull(perBitcoin[code])
    return units === null ? [] : [[code, (units * 10n ** 18n) / usd]]
  })
  return { at, source: NAME, perUsdE18: new Map(rates.filter(([, rate]) => rate > 0n)) }
}

/** Bounds of euros per US dollar, with 18 decimals. The rate has been between 0.6 and 1.3 since there is a euro. */
const [MIN_EUR_E18, MAX_EUR_E18] = [5n * 10n ** 17n, 2n * 10n ** 18n]

/**
 * Whether past rates can be stored. The first rates of a day are never replaced, so a response without half of the
 * currencies, or with an impossible price in US dollars or euros, counts as missing and is requested again.
 */
const isCompleteAndPlausible = ({ perUsdE18 }: ExchangeRates): boolean => {
  const eur = perUsdE18.get("eur") ?? 0n
  return perUsdE18.size * 2 >= fiatCodes.length && eur >= MIN_EUR_E18 && eur <= MAX_EUR_E18
}

/**
 * Whether the plan may exclude a time. CoinGecko's public and demo plans return only the last 365 days, and a request
 * starts one day before its first time.
 */
const mayExceedPlan = (plan: CoinGeckoPlan, ms: number, nowMs: number): boolean =>
  plan !== "pro" && nowMs - ms > 364 * DAY_MS

const isMidnight = (at: DateTime.Utc): boolean => DateTime.toEpochMillis(at) % DAY_MS === 0

/**
 * Splits the times into requests: one for all times if daily prices are sufficient, otherwise several, each for a range
 * that the API returns by the hour.
 */
const spansOf = (ats: ReadonlyArray<DateTime.Utc>): ReadonlyArray<Array.NonEmptyReadonlyArray<number>> => {
  const sortedMs = ats.map((at) => DateTime.toEpochMillis(at)).sort((a, b) => a - b)
  if (!Array.isReadonlyArrayNonEmpty(sortedMs)) return []
  if (ats.every(isMidnight)) return [sortedMs]
  const spans: Array<[number, ...Array<number>]> = [[sortedMs[0]]]
  for (const ms of sortedMs.slice(1)) {
    const span = spans.at(-1)!
    if (ms - span[0] <= HOURLY_MS) span.push(ms)
    else spans.push([ms])
  }
  return spans
}

const query = "vs_currencies=usd&include_last_updated_at=true&precision=full"

const keyOf = (coinGeckoToken: CoinGeckoToken): string =>
  coinGeckoToken._tag === "Id" ? coinGeckoToken.id : `${coinGeckoToken.platform}:${coinGeckoToken.address}`

/**
 * Builds the requests for current prices: by ids, and by contracts of one platform, because responses do not contain
 * the platform.
 */
const currentRequests = (coinGeckoTokens: ReadonlyArray<CoinGeckoToken>, plan: CoinGeckoPlan) => {
  const ids = new Set(
    coinGeckoTokens.flatMap((coinGeckoToken) => (coinGeckoToken._tag === "Id" ? [coinGeckoToken.id] : []))
  )
  const contracts = Map.groupBy(
    coinGeckoTokens.flatMap((coinGeckoToken) => (coinGeckoToken._tag === "Contract" ? [coinGeckoToken] : [])),
    ({ platform }) => platform
  )
  return [
    ...Array.chunksOf(ids, IDS_PER_BATCH).map((chunk) => ({
      prefix: "",
      path: `/simple/price?ids=${chunk.join(",")}&${query}`
    })),
    ...[...contracts].flatMap(([platform, contractTokens]) =>
      Array.chunksOf(new Set(contractTokens.map(({ address }) => address)), maxContractsPerRequest[plan]).map(
        (chunk) => ({
          prefix: `${platform}:`,
          path: `/simple/token_price/${platform}?contract_addresses=${chunk.join(",")}&${query}`
        })
      )
    )
  ]
}

const currentPrices = (host: MarketDataClient, plan: CoinGeckoPlan) =>
  Effect.fnUntraced(function* (tokens: ReadonlyArray<TokenRef>) {
    const knownTokens = tokens.flatMap((token) => {
      const coinGeckoToken = coinGeckoTokenOrNull(token)
      return coinGeckoToken === null ? [] : [{ token, coinGeckoToken }]
    })
    const requests = currentRequests(
      knownTokens.map(({ coinGeckoToken }) => coinGeckoToken),
      plan
    )
    const responses = yield* Effect.forEach(requests, ({ path }) => host.get(path, SimplePrices), { concurrency: 4 })
    const nowMs = DateTime.toEpochMillis(yield* DateTime.now)
    const priceByCoinGeckoToken = new Map(
      requests.flatMap(({ prefix }, i) =>
        Object.entries(responses[i] ?? {}).map(([name, price]) => [`${prefix}${name.toLowerCase()}`, price] as const)
      )
    )
    return new Map(
      knownTokens.flatMap(({ coinGeckoToken, token }) => {
        const { last_updated_at: updatedAt, usd } = priceByCoinGeckoToken.get(keyOf(coinGeckoToken)) ?? {}
        const atMs = updatedAt == null ? nowMs : Math.min(Number(updatedAt) * 1_000, nowMs)
        const price = priceOrNull(usd, atMs)
        return price === null ? [] : [[tokenKey(token), price] as const]
      })
    )
  })

const pastPrices = (host: MarketDataClient, plan: CoinGeckoPlan) =>
  Effect.fnUntraced(function* (token: TokenRef, ats: ReadonlyArray<DateTime.Utc>) {
    const coinGeckoToken = coinGeckoTokenOrNull(token)
    if (coinGeckoToken === null) return ats.map(() => null)
    const tokenPath =
      coinGeckoToken._tag === "Id" ? coinGeckoToken.id : `${coinGeckoToken.platform}/contract/${coinGeckoToken.address}`
    const nowMs = yield* Clock.currentTimeMillis
    const isOld = (at: DateTime.Utc) => mayExceedPlan(plan, DateTime.toEpochMillis(at), nowMs)
    const spans = [...spansOf(ats.filter(isOld)), ...spansOf(ats.filter((at) => !isOld(at)))]
    const charts = yield* Effect.forEach(spans, (span) => {
      const fromSeconds = Math.floor((span[0] - DAY_MS) / 1_000)
      const toSeconds = Math.ceil(span.at(-1)! / 1_000)
      return host.get(
        `/coins/${tokenPath}/market_chart/range?vs_currency=usd&from=${fromSeconds}&to=${toSeconds}&precision=full`,
        MarketChart,
        mayExceedPlan(plan, span[0], nowMs)
      )
    })
    const points = charts.flatMap((chart) =>
      (chart?.prices ?? []).flatMap(([ms, usd]) => priceOrNull(usd, Number(ms)) ?? [])
    )
    return lastAtOrBefore(points, ats)
  })

/** Formats a day as `dd-mm-yyyy`. */
const dateText = (day: DateTime.Utc): string => DateTime.formatIsoDateUtc(day).split("-").reverse().join("-")

/**
 * Creates a source for CoinGecko's API: current and past prices and exchange rates. Past exchange rates are derived from
 * Bitcoin's price in each currency.
 */
export const makeCoinGecko = Effect.fnUntraced(function* ({ apiKey, plan, url }: CoinGeckoOptions) {
  const { header, url: planUrl } = plans[plan]
  const host = marketHost({
    name: NAME,
    title: "CoinGecko",
    url: (url ?? planUrl).replace(/\/+$/u, ""),
    headers: header === null || apiKey === null ? {} : { [header]: apiKey }
  })
  const source: NamedSource = {
    name: NAME,
    prices: currentPrices(host, plan),
    pastPrices: pastPrices(host, plan),
    rates: Effect.gen(function* () {
      const response = yield* host.get("/exchange_rates", Rates)
      const perBitcoin = Object.entries(response?.rates ?? {}).map(([code, { value }]) => [code, value] as const)
      return perUsd(Object.fromEntries(perBitcoin), yield* DateTime.now)
    }),
    pastRates: Effect.fnUntraced(function* (day) {
      const isOld = mayExceedPlan(plan, DateTime.toEpochMillis(day), yield* Clock.currentTimeMillis)
      const path = `/coins/bitcoin/history?date=${dateText(day)}&localization=false`
      const response = yield* host.get(path, History, isOld)
      const rates = perUsd(response?.market_data?.current_price ?? {}, day)
      return rates !== null && isCompleteAndPlausible(rates) ? rates : null
    })
  }
  return source
})
