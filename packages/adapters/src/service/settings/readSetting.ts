import { type EvmChainId, evmChainIds } from "@countersign/core/foundation/chains"
import { Config, Effect, Option, Redacted } from "effect"
import { PER_CHAIN, type Setting } from "./Setting.ts"
import { SettingInvalid } from "./SettingInvalid.ts"
import { type SettingName, type SettingValue, settings } from "./settings.ts"

const readNamedSetting = Effect.fnUntraced(function* (name: string, { default: defaultText, form }: Setting) {
  const configuredValue = yield* Config.option(Config.Redacted(name))
  if (Option.isNone(configuredValue)) return defaultText === null ? null : form.parse(defaultText)
  return (
    form.parse(Redacted.value(configuredValue.value)) ?? (yield* new SettingInvalid({ name, expected: form.expected }))
  )
})

/** Reads a setting from the environment. Returns its default if it is not set; null if it has no default. */
export const readSetting = <const Name extends Exclude<SettingName, `${string}${typeof PER_CHAIN}`>>(name: Name) =>
  readNamedSetting(name, settings[name]) as Effect.Effect<SettingValue<Name>, SettingInvalid | Config.ConfigError>

type PerChain = Extract<SettingName, `${string}${typeof PER_CHAIN}`>

export const readSettingByChain = Effect.fnUntraced(function* <const Name extends PerChain>(name: Name) {
  const values = new Map<EvmChainId, NonNullable<SettingValue<Name>>>()
  for (const id of evmChainIds) {
    const value = yield* readNamedSetting(name.replace(PER_CHAIN, String(id)), settings[name])
    if (value !== null) values.set(id, value as NonNullable<SettingValue<Name>>)
  }
  return values
})

/** Reads a setting that other settings require. Fails if it is not set. */
export const requireSetting = Effect.fnUntraced(function* <const Name extends Exclude<SettingName, PerChain>>(
  name: Name,
  reason: string
) {
  return (yield* readSetting(name)) ?? (yield* new SettingInvalid({ name, expected: `set, ${reason}` }))
})
