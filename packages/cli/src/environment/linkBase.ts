import { readSetting } from "@countersign/adapters/service/settings"
import { Effect } from "effect"
import { sandboxFileOrNull } from "./sandboxFile.ts"

/** The base URL of logo links, as in the API: the URL of the service. Empty if it is unknown. */
export const linkBase = Effect.gen(function* () {
  const file = yield* sandboxFileOrNull
  if (file !== null) return file.baseUrl
  return (yield* readSetting("PUBLIC_URL")) ?? ""
})
