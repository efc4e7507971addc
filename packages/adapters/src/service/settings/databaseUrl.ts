import { Config, Effect, Option, Redacted } from "effect"
import { SettingInvalid } from "./SettingInvalid.ts"

const isOfPostgres = (text: string): boolean => URL.canParse(text) && /^postgres(?:ql)?:$/u.test(new URL(text).protocol)

/** DATABASE_URL, which stays wrapped; null where there is none. */
export const databaseUrlOrNull = Effect.gen(function* () {
  const name = "DATABASE_URL"
  const url = yield* Config.option(Config.Redacted(name))
  if (Option.isNone(url)) return null
  if (isOfPostgres(Redacted.value(url.value))) return url.value
  return yield* new SettingInvalid({ name, expected: "a URL: postgres://user:password@host:port/database" })
})
