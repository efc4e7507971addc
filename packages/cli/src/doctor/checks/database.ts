import { access, constants } from "node:fs/promises"
import { dirname } from "node:path"
import type { DatabaseSettings } from "@countersign/adapters/service/composition"
import { migrationStatus } from "@countersign/adapters/storage/kysely"
import { migrations } from "@countersign/adapters/storage/kysely/migrations"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { type Finding, failing, ok, waiting } from "../Finding.ts"
import type { CheckResult } from "../Observed.ts"
import { countText } from "../words.ts"

export interface DatabaseState {
  /** Migrations of this version that the database does not contain. */
  readonly pending: ReadonlyArray<string>
  /** Migrations of a later version that the database contains. */
  readonly unknown: ReadonlyArray<string>
  /** Used and maximum number of connections of the database server; null for SQLite. */
  readonly connections: { readonly used: number; readonly max: number } | null
}

export type FileState = "ABSENT" | "READ_ONLY" | "WRITABLE"

const canAccess = (path: string, mode: number) =>
  Effect.promise(() =>
    access(path, mode).then(
      () => true,
      () => false
    )
  )

export const readFileState = (filename: string): Effect.Effect<FileState> =>
  Effect.gen(function* () {
    if (!(yield* canAccess(filename, constants.F_OK))) return "ABSENT"
    // The folder must be writable too, because SQLite writes its journal next to the file.
    const isWritable =
      (yield* canAccess(filename, constants.W_OK)) && (yield* canAccess(dirname(filename), constants.W_OK))
    return isWritable ? "WRITABLE" : "READ_ONLY"
  })

const connectionsOf = ({ _tag }: DatabaseSettings) =>
  _tag === "Sqlite"
    ? Effect.succeed(null)
    : Effect.map(
        SqlClient.SqlClient.use((client) =>
          client.unsafe<{ used: number; max: number }>(
            "select count(*) as used, current_setting('max_connections')::int as max from pg_stat_activity"
          )
        ),
        ([row]) => row ?? null
      )

export const observeDatabase = Effect.fnUntraced(function* (database: DatabaseSettings) {
  const knownNames = new Set(migrations.map(({ name }) => name))
  const status = yield* migrationStatus
  const state: DatabaseState = {
    pending: status.flatMap(({ appliedAt, name }) => (appliedAt === null ? [name] : [])),
    unknown: status.flatMap(({ name }) => (knownNames.has(name) ? [] : [name])),
    connections: yield* connectionsOf(database)
  }
  return state
})

/** Returns the host and port, or the file. Omits the rest of the URL, which may contain a password. */
export const locationOfDatabase = (database: DatabaseSettings): string => {
  if (database._tag === "Sqlite") return `SQLite file ${database.filename}`
  const url = Redacted.value(database.url)
  return URL.canParse(url) ? `Postgres at ${new URL(url).host || "a local socket"}` : "Postgres at no URL"
}

/** Percentage of used connections from which the server may soon have none left. */
const CROWDED_PERCENT = 90

const stateFinding = (location: string, { connections, pending, unknown }: DatabaseState): Finding => {
  if (unknown.length > 0) {
    return failing("database", `was migrated by a later version of Countersign (${unknown.join(", ")}); ${location}`, {
      waitsFor: "that version of Countersign",
      byItself: "Nothing: this version does not start with this database.",
      whatToDo: "Run the later version, or restore an earlier backup."
    })
  }
  if (pending.length > 0) {
    return waiting(
      "database",
      `${countText(pending.length, "migration")} not applied (${pending.join(", ")}); ${location}`,
      {
        waitsFor: "a start of the service, or `countersign db migrate`",
        byItself: "The service applies the migrations when it starts.",
        whatToDo: "Run `countersign db migrate`, or start the service of this version."
      }
    )
  }
  const usedText = connections === null ? "" : `; ${connections.used} of ${connections.max} connections in use`
  return connections !== null && connections.used * 100 >= connections.max * CROWDED_PERCENT
    ? waiting("database", `responds${usedText}; ${location}`, {
        waitsFor: "free connections",
        byItself: "Requests that get no connection within 5 s return 503.",
        whatToDo: "Run fewer processes, or increase max_connections of the server."
      })
    : ok("database", `responds, and is up to date${usedText}; ${location}`)
}

export const diagnoseDatabase = (
  database: DatabaseSettings,
  file: FileState | null,
  state: CheckResult<DatabaseState>
): Finding => {
  const location = locationOfDatabase(database)
  if (file === "ABSENT") {
    return waiting("database", `does not exist yet; ${location}`, {
      waitsFor: "the first start of the service",
      byItself: "The service creates the database when it starts.",
      whatToDo: "Start the service, or set DATABASE_URL or COUNTERSIGN_HOME to use another database."
    })
  }
  if (file === "READ_ONLY") {
    return failing("database", `or its folder is not writable for this user; ${location}`, {
      waitsFor: "write permission",
      byItself: "Nothing: every request that stores something fails with 500.",
      whatToDo: "Make the service's user the owner of the file and its folder, or free disk space if the disk is full."
    })
  }
  if (state._tag === "Seen") return stateFinding(location, state.value)
  const setting = database._tag === "Sqlite" ? "COUNTERSIGN_HOME" : "DATABASE_URL"
  return failing("database", `${state.reason}; ${location}`, {
    waitsFor: "a response of the database",
    byItself:
      "Requests return 503 until the database recovers. Accepted operations are not lost: their execution continues then.",
    whatToDo: `Check ${setting}, and that the database runs and this machine can reach it.`
  })
}
