import type { HexBytes } from "@countersign/core/foundation/primitives"
import { Config, Effect, Option, Redacted } from "effect"
import { SettingInvalid } from "./SettingInvalid.ts"

export const isPrivateKey = (text: string): text is HexBytes => /^0x[0-9a-f]{64}$/u.test(text)

/** A private key, which stays wrapped; null where there is none. */
export const privateKeyOrNull = Effect.fnUntraced(function* (name: string) {
  const text = yield* Config.option(Config.Redacted(name))
  if (Option.isNone(text)) return null
  const key = Redacted.value(text.value).trim().toLowerCase()
  return isPrivateKey(key)
    ? Redacted.make(key)
    : yield* new SettingInvalid({ name, expected: "a private key: 0x and 64 digits" })
})
