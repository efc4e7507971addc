import { Context } from "effect"

/** The names of all variables of the environment and of the `.env` file, ours and others'. */
export const SettingNames = Context.Reference<ReadonlyArray<string>>("cli/SettingNames", { defaultValue: () => [] })
