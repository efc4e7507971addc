import { mkdir } from "node:fs/promises"
import { dirname } from "node:path"
import type { DatabaseSettings } from "@countersign/adapters/composition"
import { sandboxDatabaseFile } from "@countersign/adapters/home"
import { Config, Effect, Option } from "effect"
import { home } from "./home.ts"
import { isConfigured } from "./isConfigured.ts"
import { runningSandbox } from "./runningSandbox.ts"

const sqliteIn = Effect.fnUntraced(function* (folder: string) {
  const filename = sandboxDatabaseFile(folder)
  yield* Effect.promise(() => mkdir(dirname(filename), { recursive: true }))
  const database: DatabaseSettings = { _tag: "Sqlite", filename }
  return database
})

/** The database of the service that the environment names, else of the sandbox that runs on this home; and its time. */
export const database = Effect.gen(function* () {
  if (!(yield* isConfigured)) {
    const { home: folder, status } = yield* runningSandbox
    return { database: yield* sqliteIn(folder), clockOffsetSeconds: status.clockOffsetSeconds }
  }
  const url = yield* Config.option(Config.Redacted("DATABASE_URL"))
  const settings: DatabaseSettings = Option.isSome(url)
    ? { _tag: "Postgres", url: url.value }
    : yield* sqliteIn(yield* home)
  return { database: settings, clockOffsetSeconds: 0 }
})
