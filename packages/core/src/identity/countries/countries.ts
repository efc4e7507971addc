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

/** ISO 3166-1 alpha-2 of a country's name or of that code itself; null for any other text. */
export const countryCodeOrNull = (text: string): string | null => {
  if (codes.has(text)) return text
  return Object.hasOwn(countryTable, text) ? countryCode(text as Country) : null
}

/** In which days and months of the country begin: of its capital, or where most of its people live. */
export const timeZoneOfCountry = (country: Country): string => countryTable[country][1]
