import { Schema } from "effect"
import { countryTable } from "./countryTable.ts"

/** The name of a country in the wire contract, such as `BRAZIL`. */
export type Country = keyof typeof countryTable
/** A demonym, such as `BRAZILIAN`. */
export type Nationality = (typeof countryTable)[Country][2]

const names = Object.keys(countryTable) as ReadonlyArray<Country>

export const Country = Schema.Literals(names)
export const Nationality = Schema.Literals(names.map((name) => countryTable[name][2]))

/** Returns the ISO 3166-1 alpha-2 code. */
export const countryCode = (country: Country): string => countryTable[country][0]

const codes: ReadonlySet<string> = new Set(names.map(countryCode))

/** Returns the ISO 3166-1 alpha-2 code for a country name or for the code itself. Null for any other text. */
export const countryCodeOrNull = (text: string): string | null => {
  if (codes.has(text)) return text
  return Object.hasOwn(countryTable, text) ? countryCode(text as Country) : null
}

/**
 * Returns the time zone that determines the days and months of a country: that of its capital, or of most of its
 * population.
 */
export const timeZoneOfCountry = (country: Country): string => countryTable[country][1]
