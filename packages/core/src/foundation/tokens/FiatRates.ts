import { Context, type DateTime, Effect } from "effect"

/** The currencies of the API document's FiatValueMap, in its order. */
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

/** A value in every currency of the list; null where the rate is unknown. */
export type FiatValueMap = { readonly [code in FiatCode]: string | null }

/** Units of each currency for one US dollar, scaled by 10^18. A currency without a known rate is missing. */
export type FiatRatesE18 = ReadonlyMap<FiatCode, bigint>

/** Exchange rates of the market. None of them waits for a source longer than a moment. */
export class FiatRates extends Context.Service<
  FiatRates,
  {
    readonly perUsdE18: Effect.Effect<FiatRatesE18>
    /** For each time the rates of its day in UTC; the current ones where those of the day are not at hand, and for today. */
    readonly onDays: (ats: ReadonlyArray<DateTime.Utc>) => Effect.Effect<ReadonlyArray<FiatRatesE18>>
  }
>()("@countersign/core/tokens/FiatRates") {}

/** A table that is the same on all days. */
export const constantRates = (table: FiatRatesE18): FiatRates["Service"] => ({
  perUsdE18: Effect.succeed(table),
  onDays: (ats) => Effect.succeed(ats.map(() => table))
})
