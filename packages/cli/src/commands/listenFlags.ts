import { Config } from "effect"
import { Flag } from "effect/cli"
import { PORT_MAX, port } from "../environment/port.ts"
import { within } from "../input/readAs.ts"

/** Where a command's server listens. */
export const listenFlags = {
  port: Flag.Int("port").pipe(
    Flag.withDescription("Port of the API, 0 for any"),
    within(0, PORT_MAX),
    Flag.withFallbackConfig(port),
    Flag.withDefault(3000)
  ),
  host: Flag.String("host").pipe(
    Flag.withDescription("Address to listen on"),
    Flag.withFallbackConfig(Config.String("HOST")),
    Flag.withDefault("127.0.0.1")
  )
}
