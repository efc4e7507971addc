import { Config, Schema } from "effect"

export const PORT_MAX = 65_535

/** Where the environment wants the API to listen; 0 for any port, which `Config.Port` refuses. */
export const port = Config.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: PORT_MAX })), "PORT")
