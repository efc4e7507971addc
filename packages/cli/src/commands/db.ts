import { statSync } from "node:fs"
import { resolve } from "node:path"
import { Retention, type RetentionCounts } from "@countersign/core/tenancy/retention"
import { DateTime, Effect, References } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { withServices } from "../environment/connect.ts"
import { database } from "../environment/database.ts"
import { Refused } from "../environment/errors.ts"
import { jsonFlag, print } from "../output/print.ts"
import { table } from "../output/table.ts"

const kysely = Effect.promise(() => import("@countersign/adapters/storage/kysely"))

const withDatabase = <A, E, R>(command: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const { layerPostgresDb, layerSqliteDb } = yield* kysely
    const { database: databaseSettings } = yield* database
    return yield* Effect.provide(
      command,
      databaseSettings._tag === "Postgres"
        ? layerPostgresDb(databaseSettings)
        : layerSqliteDb(databaseSettings.filename)
    )
  })

const migrateCommand = Command.make("migrate", { json: jsonFlag }, ({ json }) =>
  withDatabase(
    Effect.gen(function* () {
      const { migrate } = yield* kysely
      const applied = yield* migrate()
      const results = applied.flatMap(({ name, result }) => (result === null ? [] : [`${name}: ${result}`]))
      yield* print(json, { applied: applied.map(({ name }) => name), results }, () =>
        applied.length === 0
          ? "The database is up to date."
          : [`Applied: ${applied.map(({ name }) => name).join(", ")}`, ...results].join("\n")
      )
    })
  )
).pipe(Command.withDescription("Bring the database up to date; serving does so by itself"))

const status = Command.make("status", { json: jsonFlag }, ({ json }) =>
  withDatabase(
    Effect.gen(function* () {
      const { migrationStatus } = yield* kysely
      const migrations = yield* migrationStatus
      yield* print(json, migrations, () =>
        table(
          ["MIGRATION", "APPLIED"],
          migrations.map(({ appliedAt, name }) => [name, appliedAt === null ? null : DateTime.formatIso(appliedAt)])
        )
      )
    })
  )
).pipe(Command.withDescription("Show which migrations are applied"))

const kindNames: Readonly<Record<keyof RetentionCounts, string>> = {
  quotes: "unsigned quotes",
  deliveries: "webhook deliveries",
  events: "events",
  idempotencyAnswers: "idempotency answers",
  rateWindows: "rate windows",
  losses: "losses"
}

const countsTable = (heading: string, counts: RetentionCounts): string =>
  table(
    ["KIND", heading],
    (Object.keys(kindNames) as Array<keyof RetentionCounts>).map((kind) => [kindNames[kind], counts[kind]])
  )

const prune = Command.make(
  "prune",
  {
    json: jsonFlag,
    dryRun: Flag.Boolean("dry-run").pipe(
      Flag.withDescription("Count what would be removed, and remove nothing"),
      Flag.withDefault(false)
    )
  },
  ({ dryRun, json }) =>
    withServices(
      Effect.gen(function* () {
        const { countDue, pruneDue } = yield* Retention
        if (dryRun) {
          const dueCounts = yield* countDue
          return yield* print(json, { due: dueCounts }, () => countsTable("DUE", dueCounts))
        }
        const removedCounts = yield* pruneDue
        yield* print(json, { removed: removedCounts }, () => countsTable("REMOVED", removedCounts))
      })
    ).pipe(
      // The output says as much as the line that the service logs.
      Effect.provideService(References.MinimumLogLevel, "Warn")
    )
).pipe(
  Command.withDescription("Remove what was kept long enough; serving does so every few minutes"),
  Command.withExamples([{ command: "countersign db prune --dry-run", description: "How much that would be" }])
)

const backup = Command.make(
  "backup",
  {
    file: Argument.String("file").pipe(Argument.withDescription("The file to make; nothing is written over")),
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ file, json }) {
    const { database: databaseSettings } = yield* database
    if (databaseSettings._tag === "Postgres") {
      const reason = 'This database is Postgres: pg_dump --format=custom --file=FILE "$DATABASE_URL" makes its backup.'
      return yield* new Refused({ reason })
    }
    const { backupSqlite } = yield* kysely
    yield* backupSqlite(databaseSettings.filename, resolve(file))
    const bytes = statSync(file).size
    yield* print(json, { file: resolve(file), bytes }, () => `${resolve(file)}: ${bytes} bytes.`)
  })
).pipe(
  Command.withDescription("Copy a SQLite database to a file, also while the service runs"),
  Command.withExamples([
    { command: "countersign db backup /backups/monday.db", description: "One file, and nothing beside it" }
  ])
)

export const db = Command.make("db").pipe(Command.withSubcommands([migrateCommand, status, prune, backup]))
