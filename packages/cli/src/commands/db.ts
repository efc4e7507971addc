import { Retention, type RetentionCounts } from "@countersign/core/tenancy/retention"
import { DateTime, Effect, References } from "effect"
import { Command, Flag } from "effect/cli"
import { withServices } from "../environment/connect.ts"
import { kysely, withDatabase } from "../environment/withDatabase.ts"
import { jsonFlag, print } from "../output/print.ts"
import { table } from "../output/table.ts"
import { archive } from "./dbArchive.ts"

const migrateCommand = Command.make("migrate", { json: jsonFlag }, ({ json }) =>
  withDatabase(
    Effect.gen(function* () {
      const { migrate } = yield* kysely
      const appliedMigrations = yield* migrate()
      const results = appliedMigrations.flatMap(({ name, result }) => (result === null ? [] : [`${name}: ${result}`]))
      yield* print(json, { applied: appliedMigrations.map(({ name }) => name), results }, () =>
        appliedMigrations.length === 0
          ? "The database is up to date."
          : [`Applied: ${appliedMigrations.map(({ name }) => name).join(", ")}`, ...results].join("\n")
      )
    })
  )
).pipe(Command.withDescription("Migrate the database; `countersign serve` does this automatically"))

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
).pipe(Command.withDescription("Show the applied migrations"))

const kindNames: Readonly<Record<keyof RetentionCounts, string>> = {
  quotes: "unsigned quotes",
  fiatQuotes: "fiat quotes",
  deliveries: "webhook deliveries",
  events: "events",
  idempotencyResponses: "idempotency responses",
  rateWindows: "rate windows",
  unpaidGas: "unpaid gas",
  executions: "archived executions"
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
      Flag.withDescription("Only count the data that would be deleted or archived"),
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
      // Suppresses the service's log lines, because the output contains the same information.
      Effect.provideService(References.MinimumLogLevel, "Warn")
    )
).pipe(
  Command.withDescription(
    "Delete or archive data after its retention period; `countersign serve` does this every few minutes"
  ),
  Command.withExamples([
    { command: "countersign db prune --dry-run", description: "Count the data without deleting it" }
  ])
)

export const db = Command.make("db").pipe(Command.withSubcommands([migrateCommand, status, prune, archive]))
