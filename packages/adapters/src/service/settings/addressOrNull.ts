import { Address } from "@countersign/core/foundation/primitives"
import { Config, Effect, Option, Schema } from "effect"
import { SettingInvalid } from "./SettingInvalid.ts"

const isAddress = Schema.is(Address)

/** An address of a chain; null where there is none. */
export const addressOrNull = Effect.fnUntraced(function* (name: string) {
  const text = yield* Config.option(Config.String(name))
  if (Option.isNone(text)) return null
  const address = text.value.trim().toLowerCase()
  return isAddress(address) ? address : yield* new SettingInvalid({ name, expected: "an EVM address" })
})
