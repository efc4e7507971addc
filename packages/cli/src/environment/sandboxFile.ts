import type { SettingInvalid } from "@countersign/adapters/service/settings"
import { readSandboxFile, type SandboxFile } from "@countersign/adapters/storage/home"
import { type Config, Effect } from "effect"
import { home } from "./home.ts"
import { isConfigured } from "./isConfigured.ts"

/**
 * The sandbox file of this home folder. Null if there is none, or if the environment configures the operator's own
 * service.
 */
export const sandboxFileOrNull: Effect.Effect<SandboxFile | null, Config.ConfigError | SettingInvalid> = Effect.gen(
  function* () {
    return (yield* isConfigured) ? null : yield* readSandboxFile(yield* home)
  }
)
