import { DateTime, Effect } from "effect"
import { type FiatCode, fiatCodes, isToken, usdE6RoundingDown } from "../../foundation/tokens/index.ts"
import { type RecordedMovement, usdE6Of } from "../history/index.ts"
import { type PastPrice, PastPrices, type PastRate } from "../market-data/index.ts"
import type { TaxAsset } from "./TaxAsset.ts"

/** A value in millionths of a currency, and the source of the value. */
export interface TaxValue {
  readonly amountE6: bigint
  readonly source: string
}

/** Values of a movement at its time. Null if a value is unknown. */
export interface TaxValues {
  readonly usd: TaxValue | null
  readonly brl: TaxValue | null
}

/** The `source` of a value that was recorded with the movement. */
export const RECORDED = "recorded"
/** The `source` of a fiat amount's value in its own currency. */
const ITSELF = "itself"

const E6 = 10n ** 6n
const E18 = 10n ** 18n
const CONCURRENT_REQUESTS = 4

const isFiatCode = (code: string): code is FiatCode => fiatCodes.some((fiatCode) => fiatCode === code)

const toE6 = (amount: bigint, decimals: number): bigint => (amount * E6) / 10n ** BigInt(decimals)

/** Rates are requested by the hour, which limits the number of requests for a long history. */
const HOUR_MS = 3_600_000
const startOfHour = (at: DateTime.Utc): DateTime.Utc =>
  DateTime.makeUnsafe(Math.floor(DateTime.toEpochMillis(at) / HOUR_MS) * HOUR_MS)

/**
 * Reads the exchange rates for the movements, each once. Returns a function that returns the rate of a currency at a
 * time, or null.
 */
const ratesOf = Effect.fnUntraced(function* (
  wantedRates: ReadonlyArray<{ readonly currency: string; readonly at: DateTime.Utc }>
) {
  const pastPrices = yield* PastPrices
  const keyOf = (currency: string, at: DateTime.Utc) => `${currency} ${DateTime.toEpochMillis(startOfHour(at))}`
  const distinctRequests = new Map(wantedRates.map((each) => [keyOf(each.currency, each.at), each]))
  const rates = yield* Effect.forEach(
    distinctRequests,
    ([key, { at, currency }]) => {
      const code = currency.toLowerCase()
      const rate = isFiatCode(code) ? pastPrices.rate(code, startOfHour(at)) : Effect.succeed(null)
      return Effect.map(rate, (pastRate) => [key, pastRate] as const)
    },
    { concurrency: CONCURRENT_REQUESTS }
  )
  const ratesByKey = new Map<string, PastRate | null>(rates)
  return (currency: string, at: DateTime.Utc) => ratesByKey.get(keyOf(currency, at)) ?? null
})

/**
 * Reads the prices of tokens that have no recorded value and whose decimals are known, by the index of the movement.
 */
const pricesOf = Effect.fnUntraced(function* (
  movements: ReadonlyArray<RecordedMovement>,
  assetOf: (movement: RecordedMovement) => TaxAsset
) {
  const unvaluedMovements = [...movements.entries()].flatMap(([movementIndex, recorded]) => {
    const { asset, usd } = recorded.movement
    if (usd !== null || !isToken(asset) || assetOf(recorded).decimals === null) return []
    return [
      { place: movementIndex, request: { token: { chainId: asset.chainId, address: asset.token }, at: recorded.at } }
    ]
  })
  if (unvaluedMovements.length === 0) return new Map<number, PastPrice | null>()
  const prices = yield* (yield* PastPrices).prices(unvaluedMovements.map(({ request }) => request))
  return new Map(unvaluedMovements.map(({ place }, index) => [place, prices[index] ?? null]))
})

/** Returns the values of each movement. Fails if a source does not respond, because a retry may succeed. */
export const valuesOf = Effect.fnUntraced(function* (
  movements: ReadonlyArray<RecordedMovement>,
  assetOf: (movement: RecordedMovement) => TaxAsset
) {
  const prices = yield* pricesOf(movements, assetOf)
  const rateOf = yield* ratesOf(
    movements.flatMap(({ at, movement: { asset } }) => [
      { currency: "BRL", at },
      ...(isToken(asset) || asset.currency === "USD" || asset.currency === "BRL"
        ? []
        : [{ currency: asset.currency, at }])
    ])
  )

  const usdOf = ({ at, movement }: RecordedMovement, index: number, { decimals }: TaxAsset): TaxValue | null => {
    const { amount, asset, usd } = movement
    if (usd !== null) return { amountE6: usdE6Of(usd), source: RECORDED }
    if (decimals === null) return null
    if (isToken(asset)) {
      const price = prices.get(index) ?? null
      return price === null ? null : { amountE6: usdE6RoundingDown(amount, decimals, price.usd), source: price.source }
    }
    const ownE6 = toE6(amount, decimals)
    if (asset.currency === "USD") return { amountE6: ownE6, source: ITSELF }
    const rate = rateOf(asset.currency, at)
    return rate === null || rate.perUsdE18 === 0n
      ? null
      : { amountE6: (ownE6 * E18) / rate.perUsdE18, source: rate.source }
  }

  const brlOf = ({ at, movement }: RecordedMovement, { decimals }: TaxAsset, usd: TaxValue | null): TaxValue | null => {
    const { amount, asset } = movement
    if (!isToken(asset) && asset.currency === "BRL" && decimals !== null) {
      return { amountE6: toE6(amount, decimals), source: ITSELF }
    }
    const rate = rateOf("BRL", at)
    return usd === null || rate === null
      ? null
      : { amountE6: (usd.amountE6 * rate.perUsdE18) / E18, source: rate.source }
  }

  return movements.map((recorded, index): TaxValues => {
    const asset = assetOf(recorded)
    const usd = usdOf(recorded, index, asset)
    return { usd, brl: brlOf(recorded, asset, usd) }
  })
})
