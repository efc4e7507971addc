import { readSetting } from "@countersign/adapters/service/settings"
import { Effect, Option } from "effect"
import { Flag } from "effect/cli"
import { PORT_MAX, port } from "../environment/port.ts"
import { requireWithin } from "../input/readAs.ts"

/** Flags for the address on which a server listens. They override PORT and HOST. */
export const listenFlags = {
  port: Flag.Int("port").pipe(
    Flag.withDescription("Port to listen on, 0 for any free port (default: PORT, otherwise 3000)"),
    requireWithin(0, PORT_MAX),
    Flag.optional
  ),
  host: Flag.String("host").pipe(
    Flag.withDescription("Address to listen on (default: HOST, otherwise 127.0.0.1)"),
    Flag.optional
  )
}

interface ListenOptions {
  readonly port: Option.Option<number>
  readonly host: Option.Option<string>
}

/** Returns the address on which a server listens: from the flags, otherwise from PORT and HOST. */
export const listenAddress = Effect.fnUntraced(function* (options: ListenOptions) {
  return {
    port: Option.isSome(options.port) ? options.port.value : yield* port,
    host: Option.isSome(options.host) ? options.host.value : yield* readSetting("HOST")
  }
})
