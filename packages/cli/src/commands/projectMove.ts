import { readSetting } from "@countersign/adapters/service/settings"
import type { MoveStep } from "@countersign/adapters/storage/kysely"
import { ProjectId } from "@countersign/core/tenancy/projects"
import { Config, Context, Effect, Layer, Option, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import { CommandRefused } from "../environment/errors.ts"
import { projectArgument, selectProject } from "../environment/project.ts"
import { kysely, withDatabase } from "../environment/withDatabase.ts"
import { requireWithin } from "../input/readAs.ts"
import { jsonFlag, print } from "../output/print.ts"
import { table } from "../output/table.ts"

const MINUTE_MS = 60_000
/** Number of digest digits that the table displays. */
const DIGITS = 12

/** Returns the host and the name of a Postgres database, without credentials. */
const databaseName = Effect.fnUntraced(function* (text: string) {
  if (!/^postgres(?:ql)?:/u.test(text) || !URL.canParse(text)) {
    return yield* new CommandRefused({
      reason: "--to is not the URL of a Postgres database: postgresql://user@host/name."
    })
  }
  const { host, pathname, searchParams } = new URL(text)
  return `${searchParams.get("host") ?? host}${pathname}`
})

const stepText = (step: MoveStep): string => {
  switch (step._tag) {
    case "Paused":
      return "The project is paused: its requests get 503, and workers claim no new work."
    case "Waiting":
      return `Waiting for ${step.operations} operations that are not final, and ${step.claims} requests or claims in progress.`
    case "Copied":
      return "The rows are copied. Comparing both databases."
    case "Closed":
      return "The project is closed in this database."
  }
}

/** Returns a function that prints a step to stderr, unless its text equals the text of the previous step. */
const reporter = (isSilent: boolean) => {
  let lastText = ""
  return (step: MoveStep) =>
    Effect.sync(() => {
      const text = stepText(step)
      if (!isSilent && text !== lastText) process.stderr.write(`${text}\n`)
      lastText = text
    })
}

export const move = Command.make(
  "move",
  {
    project: projectArgument,
    to: Flag.Redacted("to").pipe(
      Flag.withDescription(
        "DATABASE_URL of the target database. Migrate it first with `countersign db migrate`. Default: TARGET_DATABASE_URL of the environment, which other users of this machine cannot see in the process list"
      ),
      Flag.withFallbackConfig(Config.Redacted("TARGET_DATABASE_URL")),
      Flag.optional
    ),
    timeout: Flag.Int("timeout").pipe(
      Flag.withDescription("Maximum time in minutes to wait until the operations of the paused project are final"),
      requireWithin(0, 10_000),
      Flag.withDefault(30)
    ),
    cancel: Flag.Boolean("cancel").pipe(
      Flag.withDescription(
        "Resume the project in this database, if its move was interrupted before the project was closed here"
      ),
      Flag.withDefault(false)
    ),
    json: jsonFlag
  },
  ({ cancel, json, project, timeout, to }) =>
    withDatabase(
      Effect.gen(function* () {
        const { cancelMove, Db, layerPostgresDb, moveProject, SecretKeys } = yield* kysely
        const source = yield* Db
        const rows = yield* source.all(
          source.query.selectFrom("projects").select(["id", "name"]).where("deleted_at", "is", null)
        )
        const { id, name } = yield* selectProject(rows, project)
        if (cancel) {
          if (!(yield* cancelMove(source, ProjectId.make(id)))) {
            return yield* new CommandRefused({
              reason: `No move of "${name}" can be cancelled: the project is not paused in this database.`
            })
          }
          return yield* print(
            json,
            { id, name, cancelled: true },
            () => `The project "${name}" is resumed in this database.`
          )
        }
        if (Option.isNone(to))
          return yield* new CommandRefused({
            reason: "Name the target database with --to or TARGET_DATABASE_URL, or use --cancel."
          })
        const targetName = yield* databaseName(Redacted.value(to.value))
        const context = yield* Layer.build(layerPostgresDb({ url: to.value }))
        const secretKeys = yield* readSetting("SECRETS_KEY")
        const { tables } = yield* moveProject({
          source,
          target: Context.get(context, Db),
          projectId: ProjectId.make(id),
          targetName,
          timeoutMs: timeout * MINUTE_MS,
          requestTimeoutMs: yield* readSetting("REQUEST_TIMEOUT_MS"),
          report: reporter(json)
        }).pipe(
          secretKeys === null ? (effect) => effect : Effect.provideService(SecretKeys, secretKeys),
          Effect.catchTag("MOVE_REFUSED", ({ reason }) => Effect.fail(new CommandRefused({ reason })))
        )
        yield* print(json, { id, name, to: targetName, tables }, () =>
          [
            ...(tables === null
              ? []
              : [
                  table(
                    ["TABLE", "ROWS", "SHA-256 IN BOTH"],
                    tables
                      .filter((each) => each.rows > 0)
                      .map((each) => [each.table, each.rows, each.sha256.slice(0, DIGITS)])
                  )
                ]),
            `The project "${name}" is resumed in ${targetName}. Its rows in this database are no longer used.`
          ].join("\n")
        )
      }).pipe(Effect.scoped)
    )
).pipe(
  Command.withDescription(
    "Move a project to another Postgres database. If the move is interrupted, run the command again"
  ),
  Command.withExamples([
    {
      command: "countersign project move Shop --to postgresql://countersign@db2/countersign",
      description: "Pause Shop, copy its rows, and resume it in the other database"
    }
  ])
)
