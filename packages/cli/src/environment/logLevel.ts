import { SettingInvalid } from "@countersign/adapters/settings"
import { Config, Effect, Option } from "effect"

const levels = new Map<string, "Debug" | "Info" | "Warn" | "Error">([
  ["debug", "Debug"],
  ["info", "Info"],
  ["warn", "Warn"],
  ["error", "Error"]
])

/** What is logged: this level and those above it. */
export const logLevel = Effect.gen(function* () {
  const setting = Option.getOrElse(yield* Config.option(Config.String("LOG_LEVEL")), () => "info")
  const level = levels.get(setting.trim().toLowerCase())
  return (
    level ?? (yield* new SettingInvalid({ name: "LOG_LEVEL", expected: `one of ${[...levels.keys()].join(", ")}` }))
  )
})
