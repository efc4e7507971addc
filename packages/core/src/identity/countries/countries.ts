import { Schema } from "effect"
import { countryTable } from "./countryTable.ts"

/** The name of a country in the wire contract, such as `BRAZIL`. */
export type Country = keyof typeof countryTable
/** A demonym, such as `BRAZILIAN`. */
export type Nationality = (typeof countryTable)[Country][2]

const names = Object.keys(countryTable) as ReadonlyArray<Country>

export const Country = Schema.Literals(names)
export const Nationality = Schema.Literals(names.map((name) => countryTable[name][2]))

/** ISO 3166-1 alpha-2. */
export const countryCode = (country: Country): string => countryTable[country][0]

const codes: ReadonlySet<string> = new Set(names.map(countryCode))

/** The ISO 3166-1 alpha-2 code of a country name. The code itself is also accepted; null for any other text. */
export const countryCodeOrNull = (text: string): string | null => {
  if (codes.has(text)) return text
  return Object.hasOwn(countryTable, text) ? countryCode(text as Country) : null
}

/** The time zone for the calendar days and months of a country: of its capital, or of most of its population. */
export const timeZoneOfCountry = (country: Country): string => countryTable[country][1]
