import type { SettingInvalid } from "@countersign/adapters/service/settings"
import { readSandboxFile, type SandboxFile } from "@countersign/adapters/storage/home"
import { type Config, Effect } from "effect"
import { home } from "./home.ts"
import { isConfigured } from "./isConfigured.ts"

/** The sandbox's file, where that is what this home runs on; null on a service of the operator's own. */
export const sandboxFileOrNull: Effect.Effect<SandboxFile | null, Config.ConfigError | SettingInvalid> = Effect.gen(
  function* () {
    return (yield* isConfigured) ? null : yield* readSandboxFile(yield* home)
  }
)
