import {
  type FiatLevelLimits,
  type FiatLimitRules,
  FiatMethod,
  fiatLimitDefaults,
  type LimitAmounts
} from "@countersign/core/fiat"
import { VerificationLevel } from "@countersign/core/identity"
import type { Form } from "./forms.ts"

const ENTRY = /^(?:(?<level>[A-Z]+):)?(?<method>[A-Z]+)=(?<figures>\d{1,15}(?:\/\d{1,15}){3})$/u

const isMethod = (text: string | undefined): text is FiatMethod => FiatMethod.literals.some((one) => one === text)

const isLevel = (text: string): text is VerificationLevel => VerificationLevel.literals.some((one) => one === text)

interface LimitEntry {
  /** Verification level to which the entry applies; null if it applies to all levels. */
  readonly level: VerificationLevel | null
  readonly method: FiatMethod
  readonly amounts: LimitAmounts
}

const limitEntryOrNull = (entry: string): LimitEntry | null => {
  const { figures, level, method } = ENTRY.exec(entry.trim())?.groups ?? {}
  if (!isMethod(method) || figures === undefined || (level !== undefined && !isLevel(level))) return null
  const [perTransaction, daily, monthly, quarterly] = figures.split("/").map(BigInt)
  const amounts = { perTransaction: perTransaction!, daily: daily!, monthly: monthly!, quarterly: quarterly! }
  return { level: level ?? null, method, amounts }
}

const nameOf = ({ level, method }: LimitEntry): string => `${level}:${method}`

/** Builds the limits for all levels. Payment methods that are not specified have the defaults. */
const rulesOf = (limitEntries: ReadonlyArray<LimitEntry>): FiatLimitRules => ({
  ...fiatLimitDefaults,
  ...Object.fromEntries(
    limitEntries
      .filter(({ level }) => level === null)
      .map(({ amounts, method }) => [method, { ...amounts, timeZone: fiatLimitDefaults[method].timeZone }])
  )
})

const levelLimitsOf = (limitEntries: ReadonlyArray<LimitEntry>): FiatLevelLimits =>
  Object.fromEntries(
    VerificationLevel.literals.map((level) => [
      level,
      Object.fromEntries(
        limitEntries.filter((one) => one.level === level).map(({ amounts, method }) => [method, amounts])
      )
    ])
  )

export interface FiatLimits {
  readonly fiatLimits: FiatLimitRules
  readonly fiatLevelLimits: FiatLevelLimits
}

/**
 * Limits of an identity by payment method, optionally for one verification level. Methods that are not specified have
 * the defaults.
 */
export const fiatLimits: Form<FiatLimits> = {
  expected:
    "a list of payment methods with four whole numbers each (for a transaction, a day, a month, a quarter) and an optional verification level, such as PIX=25000/50000/250000/625000,DOCUMENTS:PIX=100000/200000/1000000/2500000",
  parse: (text) => {
    const entries = text.split(",").map(limitEntryOrNull)
    const validEntries = entries.filter((entry) => entry !== null)
    return validEntries.length < entries.length || new Set(validEntries.map(nameOf)).size < validEntries.length
      ? undefined
      : { fiatLimits: rulesOf(validEntries), fiatLevelLimits: levelLimitsOf(validEntries) }
  },
  optionType: "string",
  textOf: (option) => (typeof option === "string" ? option : undefined)
}
