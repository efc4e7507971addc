import type { PastPrice } from "@countersign/core/accounting/market-data"
import { isNativeToken } from "@countersign/core/foundation/primitives"
import { type TokenRef, tokenKey } from "@countersign/core/foundation/tokens"
import { Array, DateTime, Effect, Option, Schema } from "effect"
import { NumberText, scaledE18RoundingDown } from "../../outbound/json-api/index.ts"
import { coinGeckoIdOrNull } from "./coinIds.ts"
import { type MarketDataClient, marketHost } from "./MarketDataClient.ts"
import { lastAtOrBefore, type NamedSource } from "./NamedSource.ts"

const NAME = "defillama"
const BASE_URL = "https://coins.llama.fi"
const COINS_PER_BATCH = 100
const TIMES_PER_BATCH = 200
/** Minimum confidence. DefiLlama considers a price with a lower confidence unreliable. */
const MIN_CONFIDENCE = 0.5
/**
 * DefiLlama returns the price that is nearest to the requested time, within this number of seconds. Requests ask for a
 * time that is earlier by this number, so that the price is never later than the required time.
 */
const WIDTH_SECONDS = 3_600

/** DefiLlama's chain names. */
const slugs: Readonly<Record<number, string>> = {
  1: "ethereum",
  10: "optimism",
  56: "bsc",
  100: "xdai",
  137: "polygon",
  196: "xlayer",
  8453: "base",
  42161: "arbitrum",
  43114: "avax"
}

const coinOrNull = (token: TokenRef): string | null => {
  if (!isNativeToken(token.address)) {
    const slug = slugs[token.chainId]
    return slug === undefined ? null : `${slug}:${token.address}`
  }
  const id = coinGeckoIdOrNull(token)
  return id === null ? null : `coingecko:${id}`
}

const Figure = Schema.Struct({
  price: Schema.NullOr(NumberText),
  timestamp: NumberText,
  confidence: Schema.optionalKey(Schema.NullOr(NumberText))
})
const CurrentPrices = Schema.Struct({ coins: Schema.Record(Schema.String, Figure) })
const Batch = Schema.Struct({
  coins: Schema.Record(Schema.String, Schema.Struct({ prices: Schema.Array(Figure) }))
})

const priceOrNull = ({ confidence, price, timestamp }: typeof Figure.Type): PastPrice | null => {
  if (price === null || (confidence != null && Number(confidence) < MIN_CONFIDENCE)) return null
  const usd = Option.getOrNull(scaledE18RoundingDown(price))
  const priceAt = Option.getOrNull(DateTime.make(Number(timestamp) * 1_000))
  return usd === null || priceAt === null ? null : { usd, at: priceAt, source: NAME }
}

/** Changes keys to lower case, because DefiLlama may return them in another case than requested. */
const withLowerCaseKeys = <A>(coins: Readonly<Record<string, A>>): ReadonlyMap<string, A> =>
  new Map(Object.entries(coins).map(([coin, value]) => [coin.toLowerCase(), value]))

const currentPrices = (host: MarketDataClient) =>
  Effect.fnUntraced(function* (tokens: ReadonlyArray<TokenRef>) {
    const knownTokens = tokens.flatMap((token) => {
      const coin = coinOrNull(token)
      return coin === null ? [] : [{ token, coin }]
    })
    const coins = [...new Set(knownTokens.map(({ coin }) => coin))]
    const responses = yield* Effect.forEach(Array.chunksOf(coins, COINS_PER_BATCH), (chunk) =>
      host.get(`/prices/current/${chunk.join(",")}`, CurrentPrices)
    )
    const nowMs = DateTime.toEpochMillis(yield* DateTime.now)
    const byCoin = new Map(responses.flatMap((response) => [...withLowerCaseKeys(response?.coins ?? {})]))
    return new Map(
      knownTokens.flatMap(({ coin, token }) => {
        const figure = byCoin.get(coin)
        const price = figure === undefined ? null : priceOrNull(figure)
        if (price === null) return []
        const priceAt = DateTime.makeUnsafe(Math.min(DateTime.toEpochMillis(price.at), nowMs))
        return [[tokenKey(token), { ...price, at: priceAt }] as const]
      })
    )
  })

const pastPrices = (host: MarketDataClient) =>
  Effect.fnUntraced(function* (token: TokenRef, ats: ReadonlyArray<DateTime.Utc>) {
    const coin = coinOrNull(token)
    if (coin === null) return ats.map(() => null)
    const seconds = ats.map((at) => Math.floor(DateTime.toEpochMillis(at) / 1_000) - WIDTH_SECONDS)
    const responses = yield* Effect.forEach(Array.chunksOf(seconds, TIMES_PER_BATCH), (chunk) => {
      const coins = encodeURIComponent(JSON.stringify({ [coin]: chunk }))
      return host.get(`/batchHistorical?coins=${coins}&searchWidth=${WIDTH_SECONDS}`, Batch)
    })
    const points = responses.flatMap((response) =>
      (withLowerCaseKeys(response?.coins ?? {}).get(coin)?.prices ?? []).flatMap((figure) => priceOrNull(figure) ?? [])
    )
    return lastAtOrBefore(points, ats)
  })

/** Creates a source for DefiLlama's coins API: prices by contract, without a key. It has no exchange rates. */
export const makeDefiLlama = Effect.fnUntraced(function* ({ url }: { readonly url: string | null }) {
  const host = marketHost({ name: NAME, title: "DefiLlama", url: (url ?? BASE_URL).replace(/\/+$/u, "") })
  const source: NamedSource = {
    name: NAME,
    prices: currentPrices(host),
    pastPrices: pastPrices(host),
    rates: Effect.succeed(null),
    pastRates: () => Effect.succeed(null)
  }
  return source
})
