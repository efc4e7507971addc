import { Context } from "effect"

/** Names of the variables in the `.env` file, and of the nonempty variables in the environment. */
export const SettingNames = Context.Reference<ReadonlyArray<string>>("cli/SettingNames", { defaultValue: () => [] })
