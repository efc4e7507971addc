import { Context } from "effect"

/** The names of all variables in the environment and the `.env` file. */
export const SettingNames = Context.Reference<ReadonlyArray<string>>("cli/SettingNames", { defaultValue: () => [] })
