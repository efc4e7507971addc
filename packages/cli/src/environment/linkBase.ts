import { readSetting } from "@countersign/adapters/service/settings"
import { Effect } from "effect"
import { sandboxFileOrNull } from "./sandboxFile.ts"

/** The beginning of links to logos, as the API gives them: the URL of the service; empty where it isn't known. */
export const linkBase = Effect.gen(function* () {
  const file = yield* sandboxFileOrNull
  if (file !== null) return file.baseUrl
  return (yield* readSetting("PUBLIC_URL")) ?? ""
})
