import { DateTime, Option } from "effect"
import type { RequestProblem } from "../../foundation/errors/index.ts"
import { isCnpj } from "../../foundation/primitives/index.ts"
import type { BusinessVerification, Owner } from "./BusinessVerification.ts"
import { personIdentityKeys } from "./documentsOf.ts"

const ADULT_YEARS = 18
const MAX_AGE_YEARS = 130

const problem = (path: string, code: string, message: string): RequestProblem => ({ path, code, message })

/** Parses a date. Null for a date that does not exist, such as 30 February. */
const dayOrNull = (text: string): DateTime.Utc | null => {
  const day = Option.getOrNull(DateTime.make(`${text}T00:00:00Z`))
  return day !== null && DateTime.formatIsoDateUtc(day) === text ? day : null
}

const birthDateProblem = (birthDate: string, path: string, now: DateTime.Utc): RequestProblem | null => {
  const day = dayOrNull(birthDate)
  if (day === null) return problem(path, "no_date", "Expected a date that exists, such as 1990-12-31")
  const birthdayOf = (years: number) => DateTime.toEpochMillis(DateTime.add(day, { years }))
  const today = DateTime.toEpochMillis(now)
  if (birthdayOf(0) > today) return problem(path, "in_future", "Expected a day in the past")
  if (birthdayOf(ADULT_YEARS) > today) {
    return problem(path, "under_age", `Only a person of at least ${ADULT_YEARS} years can be verified`)
  }
  return birthdayOf(MAX_AGE_YEARS) > today
    ? null
    : problem(path, "too_old", `Expected an age below ${MAX_AGE_YEARS} years`)
}

/**
 * Validates a person's data beyond the request schema. The document number must have a letter or digit. The date of
 * birth must exist, and the age must be at least 18 and below 130 years.
 */
export const personProblems = (
  { birthDate, documentId }: Pick<Owner, "birthDate" | "documentId">,
  path: string,
  now: DateTime.Utc
): ReadonlyArray<RequestProblem | null> => [
  /[A-Za-z0-9]/u.test(documentId)
    ? null
    : problem(`${path}documentId`, "no_number", "Expected at least one letter or digit"),
  birthDateProblem(birthDate, `${path}birthDate`, now)
]

const taxNumberProblem = ({ country, documentId }: BusinessVerification): RequestProblem | null => {
  if (country === "BRAZIL") {
    return isCnpj(documentId.toUpperCase())
      ? null
      : problem("documentId", "check_digits", "Expected a CNPJ: 14 characters with two valid check digits at the end")
  }
  return /^\d+$/u.test(documentId) ? null : problem("documentId", "digits", "Expected digits only")
}

/** Returns problems with the data of a business and its owners that the format of a single field can't show. */
export const businessProblems = (
  business: BusinessVerification,
  now: DateTime.Utc
): ReadonlyArray<RequestProblem | null> => {
  const { owners } = business
  const identityKeys = owners.map(personIdentityKeys)
  return [
    taxNumberProblem(business),
    ...owners.flatMap((owner, i) => [
      ...personProblems(owner, `owners[${i}].`, now),
      identityKeys.slice(0, i).some((earlier) => earlier.some((text) => identityKeys[i]!.includes(text)))
        ? problem(`owners[${i}].documentId`, "duplicate", "Another owner has the same document")
        : null
    ])
  ]
}
