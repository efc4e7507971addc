import { resolve } from "node:path"
import { readSetting } from "@countersign/adapters/service/settings"
import { Effect } from "effect"

/** The data folder of the service: COUNTERSIGN_HOME, otherwise `.countersign` in the current folder. */
export const home = Effect.map(readSetting("COUNTERSIGN_HOME"), (folder) => resolve(folder))
