import { Month } from "@countersign/core/tenancy/retention"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { CommandRefused, NotFound } from "../environment/errors.ts"
import { kysely, withDatabase } from "../environment/withDatabase.ts"
import { readAs } from "../input/readAs.ts"
import { createFile } from "../output/newFile.ts"
import { jsonFlag, print } from "../output/print.ts"
import { card, tableOrHint } from "../output/table.ts"

const listMonths = Effect.fnUntraced(function* (json: boolean) {
  const { archivedMonths, Db } = yield* kysely
  const months = yield* archivedMonths(yield* Db)
  yield* print(json, { months }, () =>
    tableOrHint(
      ["MONTH", "ROWS", "BYTES", "ATTACHED"],
      months.map(({ bytes, isAttached, month, rows }) => [month, rows, bytes, isAttached ? "yes" : "no"]),
      "The archive is empty."
    )
  )
})

const detach = Effect.fnUntraced(function* (json: boolean, month: Month, to: string | null) {
  const { Db, detachMonth, exportMonth } = yield* kysely
  const db = yield* Db
  if (db.dialect === "postgres") {
    if (to !== null)
      return yield* new CommandRefused({ reason: "--to is only for SQLite. Postgres keeps the detached table." })
    const table = yield* detachMonth(db, month)
    return yield* print(json, { month, table }, () =>
      card([
        ["month", month],
        ["table", table]
      ])
    )
  }
  if (to === null)
    return yield* new CommandRefused({ reason: "Set --to to a new file: in SQLite, a month is detached into a file." })
  const rows = yield* Effect.scoped(exportMonth(db, month, createFile(to)))
  yield* print(json, { month, file: to, rows }, () =>
    card([
      ["month", month],
      ["file", to],
      ["executions", rows]
    ])
  )
})

export const archive = Command.make(
  "archive",
  {
    json: jsonFlag,
    detach: Flag.String("detach").pipe(
      Flag.withDescription("Remove this month from the database, such as 2026-01"),
      readAs(Month),
      Flag.optional
    ),
    to: Flag.String("to").pipe(
      Flag.withDescription("With --detach on SQLite: new file for the month, as JSON lines"),
      Flag.optional
    )
  },
  Effect.fnUntraced(
    function* ({ detach: month, json, to }) {
      yield* Option.isSome(month) ? detach(json, month.value, Option.getOrNull(to)) : listMonths(json)
    },
    Effect.catchTag("MONTH_NOT_IN_ARCHIVE", ({ message }) =>
      Effect.fail(new NotFound({ what: message, hint: "`countersign db archive` lists the archived months." }))
    ),
    withDatabase
  )
).pipe(
  Command.withDescription("List the months of archived executions, or detach a month from the database"),
  Command.withExamples([
    { command: "countersign db archive", description: "List the archived months and their sizes" },
    {
      command: "countersign db archive --detach 2026-01",
      description: "On Postgres: detach the month as a separate table"
    },
    {
      command: "countersign db archive --detach 2026-01 --to 2026-01.jsonl",
      description: "On SQLite: move the month to a file"
    }
  ])
)
