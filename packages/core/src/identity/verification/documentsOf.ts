import { isCpf } from "../../foundation/primitives/index.ts"
import type { Owner, PersonalData } from "./BusinessVerification.ts"

/**
 * Normalizes a document number for comparison: upper case, without separators and without the fillers of ICAO 9303.
 * Numbers that consist of digits (CPF, SSN, EIN) match with and without leading zeros.
 */
const normalizeNumber = (number: string): string => {
  const normalizedNumber = number.toUpperCase().replaceAll(/[^0-9A-Z]/gu, "")
  return /^\d+$/u.test(normalizedNumber) ? normalizedNumber.replace(/^0+(?=\d)/u, "") : normalizedNumber
}

const CPF_DIGITS = 11

/**
 * Returns the texts that identify a person. Two records that share a text belong to the same person. A CPF has check
 * digits and belongs to one person, so its category is ignored. Any other number identifies a person within its
 * category. Across categories, the date of birth must also be equal, because a country may use the same number for
 * different people in different document types.
 */
export const personIdentityKeys = ({
  birthDate,
  documentCategory,
  documentCountry,
  documentId
}: Pick<Owner, "birthDate" | "documentCategory" | "documentCountry" | "documentId">): ReadonlyArray<string> => {
  const number = normalizeNumber(documentId)
  const prefix = `individual ${documentCountry}`
  if (documentCountry === "BRAZIL" && isCpf(number.padStart(CPF_DIGITS, "0"))) return [`${prefix} CPF ${number}`]
  return [`${prefix} ${documentCategory} ${number}`, `${prefix} ${birthDate} ${number}`]
}

/** Returns the texts that identify the person or business of a session. */
export const identityKeysOf = (personal: PersonalData): ReadonlyArray<string> =>
  personal._tag === "individual"
    ? personIdentityKeys(personal)
    : [`business ${personal.country} ${normalizeNumber(personal.documentId)}`]
