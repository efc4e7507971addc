import { Projects } from "@countersign/core/projects"
import { DateTime, Duration, Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { withProjects } from "../environment/connect.ts"
import { NotFound } from "../environment/errors.ts"
import { readAsDuration } from "../input/readAs.ts"
import { jsonFlag, print } from "../output/print.ts"
import { card } from "../output/table.ts"

export const rotate = Command.make(
  "rotate",
  {
    key: Argument.String("key-id").pipe(Argument.withDescription("Id of the key, as `key list` shows it")),
    overlap: Flag.String("overlap").pipe(
      Flag.withDescription("How long the old key stays valid beside the new one, such as 1h; a day when not given"),
      readAsDuration,
      Flag.withDefault(Duration.days(1))
    ),
    json: jsonFlag
  },
  ({ json, key, overlap }) =>
    withProjects(
      Effect.gen(function* () {
        const newKey = yield* (yield* Projects).rotateKey(key, Duration.toMillis(overlap))
        if (newKey === null) {
          return yield* new NotFound({
            what: `There is no valid key ${key}.`,
            hint: "`countersign key list` shows the keys, and which are revoked or expired."
          })
        }
        const ends = DateTime.formatIso(DateTime.add(yield* DateTime.now, { milliseconds: Duration.toMillis(overlap) }))
        yield* print(
          json,
          { ...newKey.key, hash: undefined, key: newKey.text, replaces: key, replacedUntil: ends },
          () =>
            card([
              ["key", newKey.text],
              ["id", newKey.key.id],
              ["replaces", `${key}, which stays valid until ${ends}`],
              ["note", "The key is shown this once; only its hash is kept."]
            ])
        )
      })
    )
).pipe(Command.withDescription("Replace a key by a new one, with both valid for a while"))
