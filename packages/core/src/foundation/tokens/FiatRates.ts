import { Context, type DateTime, Effect } from "effect"

/** The currencies of FiatValueMap in the API document, in the same order. */
export const fiatCodes = [
  "btc",
  "eth",
  "ltc",
  "bch",
  "bnb",
  "eos",
  "xrp",
  "xlm",
  "link",
  "dot",
  "yfi",
  "usd",
  "aed",
  "ars",
  "aud",
  "bdt",
  "bhd",
  "bmd",
  "brl",
  "cad",
  "chf",
  "clp",
  "cny",
  "czk",
  "dkk",
  "eur",
  "gbp",
  "gel",
  "hkd",
  "huf",
  "idr",
  "ils",
  "inr",
  "jpy",
  "krw",
  "kwd",
  "lkr",
  "mmk",
  "mxn",
  "myr",
  "ngn",
  "nok",
  "nzd",
  "php",
  "pkr",
  "pln",
  "rub",
  "sar",
  "sek",
  "sgd",
  "thb",
  "try",
  "twd",
  "uah",
  "vef",
  "vnd",
  "zar",
  "xdr",
  "xag",
  "xau",
  "bits",
  "sats"
] as const
export type FiatCode = (typeof fiatCodes)[number]

/** A value in every listed currency. Null if the rate is unknown. */
export type FiatValueMap = { readonly [code in FiatCode]: string | null }

/** Units of each currency per US dollar, scaled by 10^18. A currency is absent if its rate is unknown. */
export type FiatRatesE18 = ReadonlyMap<FiatCode, bigint>

/** Market exchange rates. A call waits only a short time for a slow source. */
export class FiatRates extends Context.Service<
  FiatRates,
  {
    readonly perUsdE18: Effect.Effect<FiatRatesE18>
    /**
     * Returns the rates of the UTC day of each instant. Uses the current rates for today, and for days without
     * available rates.
     */
    readonly readDailyRates: (ats: ReadonlyArray<DateTime.Utc>) => Effect.Effect<ReadonlyArray<FiatRatesE18>>
  }
>()("@countersign/core/tokens/FiatRates") {}

/** Creates a source with the same rates for all days. */
export const constantRates = (rates: FiatRatesE18): FiatRates["Service"] => ({
  perUsdE18: Effect.succeed(rates),
  readDailyRates: (ats) => Effect.succeed(ats.map(() => rates))
})
