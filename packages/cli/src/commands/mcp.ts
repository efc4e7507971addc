import { Config, Effect, Layer, Option, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import { CommandRefused } from "../environment/errors.ts"
import { sandboxFileOrNull } from "../environment/sandboxFile.ts"

/**
 * Returns the service's URL from the flag and its key from the environment. A missing value comes from the sandbox in
 * this home folder.
 */
const serviceAddress = Effect.fnUntraced(function* (url: Option.Option<string>) {
  const apiKey = yield* Config.option(Config.Redacted("COUNTERSIGN_API_KEY"))
  if (Option.isSome(url) && Option.isSome(apiKey)) return { url: url.value, apiKey: apiKey.value }
  const sandbox = yield* sandboxFileOrNull
  if (sandbox === null) {
    return yield* new CommandRefused({
      reason:
        "The URL or the API key of the service is missing. Set --url, and the key in COUNTERSIGN_API_KEY. Without both, " +
        "the command uses a running sandbox."
    })
  }
  return {
    url: Option.getOrElse(url, () => sandbox.baseUrl),
    apiKey: Option.getOrElse(apiKey, () => Redacted.make(sandbox.apiKey))
  }
})

export const mcp = Command.make(
  "mcp",
  {
    url: Flag.String("url").pipe(
      Flag.withDescription(
        "URL of the running service, such as https://api.example.com (default: the running sandbox)"
      ),
      Flag.filter(URL.canParse, () => "Expected a URL such as https://api.example.com"),
      Flag.optional
    ),
    allowExecute: Flag.Boolean("allow-execute").pipe(
      Flag.withDescription(
        "Also offer the tools that execute signed quotes. Each of them requires the owner's signature as an argument"
      ),
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(function* ({ allowExecute, url }) {
    const service = yield* serviceAddress(url)
    const { layerMcp } = yield* Effect.promise(() => import("../mcp/layerMcp.ts"))
    yield* Layer.launch(layerMcp(service, allowExecute, "0.1.0"))
  })
).pipe(
  Command.withDescription(
    "Connect an AI assistant to a running service (Model Context Protocol over stdio), with tools that read and quote. The API key is read from COUNTERSIGN_API_KEY"
  ),
  Command.withExamples([
    {
      command: "countersign mcp --url https://api.example.com",
      description: "Use this command for an MCP server in the settings of an AI assistant"
    }
  ])
)
