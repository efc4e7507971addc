import { DateTime, Option } from "effect"
import type { RequestProblem } from "../../errors/index.ts"
import type { BusinessVerification, Owner } from "./BusinessVerification.ts"

const ADULT_YEARS = 18
const OLDEST_YEARS = 130

const problem = (path: string, code: string, message: string): RequestProblem => ({ path, code, message })

/** Null for a day that no calendar has, such as 30 February. */
const dayOrNull = (text: string): DateTime.Utc | null => {
  const day = Option.getOrNull(DateTime.make(`${text}T00:00:00Z`))
  return day !== null && DateTime.formatIsoDateUtc(day) === text ? day : null
}

const birthProblem = (birthDate: string, path: string, now: DateTime.Utc): RequestProblem | null => {
  const day = dayOrNull(birthDate)
  if (day === null) return problem(path, "no_date", "Expected a day of the calendar such as 1990-12-31")
  const birthdayOf = (years: number) => DateTime.toEpochMillis(DateTime.add(day, { years }))
  const today = DateTime.toEpochMillis(now)
  if (birthdayOf(0) > today) return problem(path, "in_future", "Expected a day in the past")
  if (birthdayOf(ADULT_YEARS) > today) {
    return problem(path, "under_age", `Only a person of at least ${ADULT_YEARS} years can be verified`)
  }
  return birthdayOf(OLDEST_YEARS) > today ? null : problem(path, "too_old", `Expected less than ${OLDEST_YEARS} years`)
}

const CNPJ_WEIGHTS = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]

/** The check digits of a Brazilian business number (CNPJ): modulus 11, as Receita Federal publishes it. */
export const isCnpj = (digits: string): boolean => {
  if (!/^\d{14}$/u.test(digits) || /^(\d)\1*$/u.test(digits)) return false
  const checkDigit = (length: number): number => {
    const weights = CNPJ_WEIGHTS.slice(CNPJ_WEIGHTS.length - length)
    const rest = weights.reduce((sum, weight, i) => sum + weight * Number(digits[i]), 0) % 11
    return rest < 2 ? 0 : 11 - rest
  }
  return checkDigit(12) === Number(digits[12]) && checkDigit(13) === Number(digits[13])
}

/** What is wrong with a person beyond the form of each field. */
export const personProblems = (
  { birthDate }: Pick<Owner, "birthDate">,
  path: string,
  now: DateTime.Utc
): ReadonlyArray<RequestProblem | null> => [birthProblem(birthDate, `${path}birthDate`, now)]

const documentOf = ({ documentCategory, documentCountry, documentId }: Owner): string =>
  [documentCountry, documentCategory, documentId].join(" ")

/** What is wrong with a business and its owners beyond the form of each field. */
export const businessProblems = (
  { country, documentId, owners }: BusinessVerification,
  now: DateTime.Utc
): ReadonlyArray<RequestProblem | null> => {
  const documents = owners.map(documentOf)
  return [
    country === "BRAZIL" && !isCnpj(documentId)
      ? problem("documentId", "check_digits", "Expected a CNPJ: 14 digits, of which the last two check the others")
      : null,
    ...owners.flatMap((owner, i) => [
      ...personProblems(owner, `owners[${i}].`, now),
      documents.indexOf(documentOf(owner)) < i
        ? problem(`owners[${i}].documentId`, "duplicate", "Another owner has the same document")
        : null
    ])
  ]
}
