import type { DateTime } from "effect"
import type { UsdPriceE18 } from "../../foundation/tokens/index.ts"

/** A source's value at a time. */
export interface PastValue {
  /** The time of the value. It is the last value at or before the requested time. */
  readonly at: DateTime.Utc
  /** Name of the source, such as `coingecko`. */
  readonly source: string
}

export interface PastPrice extends PastValue {
  readonly usd: UsdPriceE18
}

/** Units of a currency per US dollar, scaled by 10^18. */
export interface PastRate extends PastValue {
  readonly perUsdE18: bigint
}
