import { SettingInvalid } from "@countersign/adapters/composition"
import { Config, Effect, Option } from "effect"

/** Milliseconds beyond it overflow a timer, which then ends at once. */
const MOST = 2 ** 31 - 1

/** A setting that counts something; null where it is not set. */
export const wholeNumberOrNull = Effect.fnUntraced(function* (name: string, atLeast: 0 | 1) {
  const text = yield* Config.option(Config.String(name))
  if (Option.isNone(text)) return null
  const value = /^\d{1,10}$/u.test(text.value) ? Number(text.value) : Number.NaN
  return value >= atLeast && value <= MOST
    ? value
    : yield* new SettingInvalid({ name, expected: `a whole number from ${atLeast} to ${MOST}` })
})
