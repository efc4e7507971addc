import { DateTime } from "effect"
import { decimalFromBaseUnits } from "../../../foundation/primitives/index.ts"
import type { TaxAsset } from "../TaxAsset.ts"

const signedDecimal = (units: bigint, decimals: number): string =>
  units < 0n ? `-${decimalFromBaseUnits(-units, decimals)}` : decimalFromBaseUnits(units, decimals)

/** Formats an amount in token units. In base units if the decimals are unknown. */
export const amountText = (amount: bigint, { decimals }: TaxAsset): string => signedDecimal(amount, decimals ?? 0)

/** Formats an amount in units of a currency. Null if the amount is unknown. */
export const moneyText = (amountE6: bigint | null): string | null =>
  amountE6 === null ? null : signedDecimal(amountE6, 6)

/** Formats a time as `2026-10-31 23:59:59`, in UTC. */
export const utcText = (at: DateTime.Utc): string => DateTime.formatIso(at).slice(0, 19).replace("T", " ")

/** Formats a time as the local time in a zone, in the same format as `utcText`. */
export const localText = (at: DateTime.Utc, timezone: string): string => {
  const { day, hour, minute, month, second, year } = DateTime.toParts(DateTime.setZoneNamedUnsafe(at, timezone))
  const twoDigits = (value: number) => String(value).padStart(2, "0")
  return `${year}-${twoDigits(month)}-${twoDigits(day)} ${twoDigits(hour)}:${twoDigits(minute)}:${twoDigits(second)}`
}
