import { isCpf } from "../../foundation/primitives/index.ts"
import type { Owner, PersonalData } from "./BusinessVerification.ts"

/**
 * The one form in which a document's number is compared: upper case, without separators and without the fillers of ICAO 9303. Numbers
 * of digits only (CPF, SSN, EIN) may be written with or without their leading zeros.
 */
const comparedNumber = (number: string): string => {
  const bare = number.toUpperCase().replaceAll(/[^0-9A-Z]/gu, "")
  return /^\d+$/u.test(bare) ? bare.replace(/^0+(?=\d)/u, "") : bare
}

const CPF_DIGITS = 11

/**
 * The texts by which a person is recognized: two people who share one are the same person. A CPF has check digits and
 * belongs to one person, so it is recognized under any category. Any other number identifies a person within its
 * category. Under another category it is the same person only with the same date of birth, because a country may give
 * one number to different people as different kinds of document.
 */
export const documentsOfPerson = ({
  birthDate,
  documentCategory,
  documentCountry,
  documentId
}: Pick<Owner, "birthDate" | "documentCategory" | "documentCountry" | "documentId">): ReadonlyArray<string> => {
  const number = comparedNumber(documentId)
  const prefix = `individual ${documentCountry}`
  if (documentCountry === "BRAZIL" && isCpf(number.padStart(CPF_DIGITS, "0"))) return [`${prefix} CPF ${number}`]
  return [`${prefix} ${documentCategory} ${number}`, `${prefix} ${birthDate} ${number}`]
}

/** The documents by which the person or business of a session is recognized. */
export const documentsOf = (personal: PersonalData): ReadonlyArray<string> =>
  personal._tag === "individual"
    ? documentsOfPerson(personal)
    : [`business ${personal.country} ${comparedNumber(personal.documentId)}`]
