import { type FiatLimitRules, FiatMethod, fiatLimitDefaults } from "@countersign/core/fiat"
import { Config, Effect, Option } from "effect"
import { SettingInvalid } from "../settings/index.ts"

const NAME = "FIAT_LIMITS"
const ENTRY = /^(?<method>[A-Z]+)=(?<figures>\d{1,15}(?:\/\d{1,15}){3})$/u

const isMethod = (text: string | undefined): text is FiatMethod => FiatMethod.literals.some((one) => one === text)

const ruleOrNull = (entry: string) => {
  const { figures, method } = ENTRY.exec(entry.trim())?.groups ?? {}
  if (!isMethod(method) || figures === undefined) return null
  const [perTransaction, daily, monthly, quarterly] = figures.split("/").map(BigInt)
  const rule = {
    perTransaction: perTransaction!,
    daily: daily!,
    monthly: monthly!,
    quarterly: quarterly!,
    timeZone: fiatLimitDefaults[method].timeZone
  }
  return [method, rule] as const
}

/** FIAT_LIMITS: for each way of payment that it names, what an identity may move; the defaults for the others. */
export const fiatLimits = Effect.gen(function* () {
  const text = yield* Config.option(Config.NonEmptyString(NAME))
  if (Option.isNone(text)) return {}
  const rules = text.value.split(",").map(ruleOrNull)
  const given = rules.filter((rule) => rule !== null)
  if (given.length < rules.length || new Set(given.map(([method]) => method)).size < given.length) {
    return yield* new SettingInvalid({
      name: NAME,
      expected:
        "a way of payment and four whole numbers (of a transaction, a day, a month, a quarter) for each, as PIX=25000/50000/250000/625000,ACH=5000/10000/50000/125000"
    })
  }
  return { fiatLimits: { ...fiatLimitDefaults, ...Object.fromEntries(given) } satisfies FiatLimitRules }
})
