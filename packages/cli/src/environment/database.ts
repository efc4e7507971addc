import { type DatabaseSettings, postgresSettings } from "@countersign/adapters/service/composition"
import { sandboxDatabaseFile } from "@countersign/adapters/storage/home"
import { Effect } from "effect"
import { home } from "./home.ts"
import { isConfigured } from "./isConfigured.ts"
import { runningSandbox } from "./runningSandbox.ts"

const sqliteSettingsIn = (folder: string): DatabaseSettings => ({
  _tag: "Sqlite",
  filename: sandboxDatabaseFile(folder)
})

/**
 * The database of the operator's own service if the environment configures one, otherwise of the running sandbox. Also
 * returns the offset of the sandbox's clock.
 */
export const database = Effect.gen(function* () {
  if (!(yield* isConfigured)) {
    const { home: folder, status } = yield* runningSandbox
    return { database: sqliteSettingsIn(folder), clockOffsetSeconds: status.clockOffsetSeconds }
  }
  return { database: (yield* postgresSettings) ?? sqliteSettingsIn(yield* home), clockOffsetSeconds: 0 }
})
