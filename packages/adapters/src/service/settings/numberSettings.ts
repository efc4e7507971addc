import { Config, Effect, Option } from "effect"
import { SettingInvalid } from "./SettingInvalid.ts"

/** Milliseconds beyond it overflow a timer, which then ends at once. */
const MOST = 2 ** 31 - 1

/** The range of a setting's number, both ends included. */
export interface Range {
  readonly from: number
  /** As much as a timer takes when not given. */
  readonly to?: number
}

/** Digits alone: no sign, no exponent, and not what JavaScript makes of other texts. */
const WHOLE = /^\d{1,15}$/u
const DECIMAL = /^\d{1,15}(?:\.\d{1,15})?$/u

const numberOrNull = Effect.fnUntraced(function* (
  name: string,
  form: RegExp,
  { from, to = MOST }: Range,
  description: string
) {
  const setting = yield* Config.option(Config.String(name))
  if (Option.isNone(setting)) return null
  const text = setting.value.trim()
  const value = form.test(text) ? Number(text) : Number.NaN
  return value >= from && value <= to
    ? value
    : yield* new SettingInvalid({ name, expected: `${description} from ${from} to ${to}` })
})

/** A setting that counts something; null where it is not set. */
export const wholeNumberOrNull = (name: string, range: Range) => numberOrNull(name, WHOLE, range, "a whole number")

/** A setting that counts something. */
export const wholeNumber = (name: string, usual: number, range: Range) =>
  Effect.map(wholeNumberOrNull(name, range), (value) => value ?? usual)

/** A setting that measures something, in the unit that is named. */
export const decimal = (name: string, usual: number, range: Range, description: string) =>
  Effect.map(numberOrNull(name, DECIMAL, range, description), (value) => value ?? usual)
