import { readSetting } from "@countersign/adapters/service/settings"

export const PORT_MAX = 65_535

/** Where the environment wants the API to listen; 0 for any port that is free. */
export const port = readSetting("PORT")
