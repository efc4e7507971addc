import type { Owner, PersonalData } from "./BusinessVerification.ts"

/**
 * The one form in which a document's number is compared: upper case, without separators and without the fillers of ICAO 9303. Numbers
 * of digits only (CPF, SSN, EIN) may be written with or without their leading zeros.
 */
const comparedNumber = (number: string): string => {
  const bare = number.toUpperCase().replaceAll(/[^0-9A-Z]/gu, "")
  return /^\d+$/u.test(bare) ? bare.replace(/^0+(?=\d)/u, "") : bare
}

/** The document of a person. Its category is no part of it: one number may be stated as that of a passport and of a licence. */
export const documentOfPerson = ({
  documentCountry,
  documentId
}: Pick<Owner, "documentCountry" | "documentId">): string =>
  `individual ${documentCountry} ${comparedNumber(documentId)}`

/** The document by which the person or business of a session is recognized. */
export const documentOf = (personal: PersonalData): string =>
  personal._tag === "individual"
    ? documentOfPerson(personal)
    : `business ${personal.country} ${comparedNumber(personal.documentId)}`
