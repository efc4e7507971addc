import { SettingInvalid, unknownSettings } from "@countersign/adapters/settings"
import { Effect } from "effect"
import { SettingNames } from "./settingNames.ts"

/** A name that is misspelt would be passed over, and its setting be as if it were not there. */
export const refuseUnknownSettings = Effect.gen(function* () {
  const [first] = unknownSettings(yield* SettingNames)
  if (first !== undefined) return yield* new SettingInvalid(first)
})
