import { resolve } from "node:path"
import { Config } from "effect"

/** Where the service keeps its data: COUNTERSIGN_HOME, or `.countersign` in the current folder. */
export const home = Config.String("COUNTERSIGN_HOME").pipe(
  Config.withDefault(".countersign"),
  Config.map((folder) => resolve(folder))
)
