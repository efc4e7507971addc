import { readSetting } from "@countersign/adapters/service/settings"

export const PORT_MAX = 65_535

/** The configured port of the API. 0 selects any free port. */
export const port = readSetting("PORT")
