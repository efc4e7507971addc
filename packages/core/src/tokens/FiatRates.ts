import { Context, type Effect } from "effect"

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
export class FiatRates extends Context.Service<
  FiatRates,
  { readonly perUsdE18: Effect.Effect<ReadonlyMap<FiatCode, bigint>> }
>()("@countersign/core/tokens/FiatRates") {}
