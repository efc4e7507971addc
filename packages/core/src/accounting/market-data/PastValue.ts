import type { DateTime } from "effect"
import type { UsdPriceE18 } from "../../foundation/tokens/index.ts"

/** What a source said that something was worth at a time. */
export interface PastValue {
  /** The moment that the source has a figure for: the last one at or before the time that was asked for. */
  readonly at: DateTime.Utc
  /** Name of the source, such as `coingecko`. */
  readonly source: string
}

export interface PastPrice extends PastValue {
  readonly usd: UsdPriceE18
}

/** Units of a currency for one US dollar, scaled by 10^18. */
export interface PastRate extends PastValue {
  readonly perUsdE18: bigint
}
