import { Schema } from "effect"
import { countryTable } from "./countryTable.ts"

/** A country by its name in the contract, such as `BRAZIL`. */
export type Country = keyof typeof countryTable
/** A demonym, such as `BRAZILIAN`. */
export type Nationality = (typeof countryTable)[Country][2]

const names = Object.keys(countryTable) as ReadonlyArray<Country>

export const Country = Schema.Literals(names)
export const Nationality = Schema.Literals(names.map((name) => countryTable[name][2]))

/** ISO 3166-1 alpha-2. */
export const countryCode = (country: Country): string => countryTable[country][0]

const codes: ReadonlySet<string> = new Set(names.map(countryCode))

/** The ISO 3166-1 alpha-2 code for a country name or for that code itself; null for any other text. */
export const countryCodeOrNull = (text: string): string | null => {
  if (codes.has(text)) return text
  return Object.hasOwn(countryTable, text) ? countryCode(text as Country) : null
}

/** The time zone for calendar days and months of the country: that of its capital or of most of its people. */
export const timeZoneOfCountry = (country: Country): string => countryTable[country][1]
