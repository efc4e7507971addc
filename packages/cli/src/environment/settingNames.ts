import { Context } from "effect"

/** Names of all variables in the environment and in the `.env` file. */
export const SettingNames = Context.Reference<ReadonlyArray<string>>("cli/SettingNames", { defaultValue: () => [] })
