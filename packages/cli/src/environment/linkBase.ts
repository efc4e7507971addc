import { Config, Effect, Option } from "effect"
import { sandboxFileOrNull } from "./sandboxFile.ts"

/** What links to logos begin with, as the API gives them: where the service is reached; nothing where that isn't known. */
export const linkBase = Effect.gen(function* () {
  const file = yield* sandboxFileOrNull
  if (file !== null) return file.baseUrl
  return Option.getOrElse(yield* Config.option(Config.String("PUBLIC_URL")), () => "")
})
