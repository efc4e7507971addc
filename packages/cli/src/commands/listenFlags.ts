import { readSetting } from "@countersign/adapters/service/settings"
import { Effect, Option } from "effect"
import { Flag } from "effect/cli"
import { PORT_MAX, port } from "../environment/port.ts"
import { within } from "../input/readAs.ts"

/** Where a command's server listens, where it is not to be as PORT and HOST say. */
export const listenFlags = {
  port: Flag.Int("port").pipe(
    Flag.withDescription("Port of the API, 0 for any (default: PORT, else 3000)"),
    within(0, PORT_MAX),
    Flag.optional
  ),
  host: Flag.String("host").pipe(
    Flag.withDescription("Address to listen on (default: HOST, else 127.0.0.1)"),
    Flag.optional
  )
}

interface ListenWords {
  readonly port: Option.Option<number>
  readonly host: Option.Option<string>
}

/** Where the server of a command listens: as its words say, else as the environment does. */
export const listenAddress = Effect.fnUntraced(function* (words: ListenWords) {
  return {
    port: Option.isSome(words.port) ? words.port.value : yield* port,
    host: Option.isSome(words.host) ? words.host.value : yield* readSetting("HOST")
  }
})
