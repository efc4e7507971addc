import { Projects } from "@countersign/core/projects"
import { DateTime, Duration, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { withServices } from "../environment/connect.ts"
import { NotFound, Refused } from "../environment/errors.ts"
import { jsonFlag, print } from "../output/print.ts"
import { card } from "../output/table.ts"

export const rotate = Command.make(
  "rotate",
  {
    key: Argument.String("key-id").pipe(Argument.withDescription("Id of the key, as `key list` shows it")),
    overlap: Flag.String("overlap").pipe(
      Flag.withDescription("How long the old key stays valid beside the new one"),
      Flag.withDefault("1 day")
    ),
    json: jsonFlag
  },
  ({ json, key, overlap }) =>
    withServices(
      Effect.gen(function* () {
        const lifetime = Duration.fromInput(overlap as Duration.Input)
        if (Option.isNone(lifetime)) {
          return yield* new Refused({ reason: 'Write --overlap as a number and a unit, such as "1 day".' })
        }
        const made = yield* (yield* Projects).rotateKey(key, Duration.toMillis(lifetime.value))
        if (made === null) {
          return yield* new NotFound({
            what: `There is no valid key ${key}.`,
            hint: "`countersign key list` shows the keys, and which are revoked or expired."
          })
        }
        const ends = DateTime.formatIso(
          DateTime.add(yield* DateTime.now, { milliseconds: Duration.toMillis(lifetime.value) })
        )
        yield* print(json, { ...made.key, hash: undefined, key: made.text, replaces: key, replacedUntil: ends }, () =>
          card([
            ["key", made.text],
            ["id", made.key.id],
            ["replaces", `${key}, which stays valid until ${ends}`],
            ["note", "The key is shown this once; only its hash is kept."]
          ])
        )
      })
    )
).pipe(Command.withDescription("Replace a key by a new one, with both valid for a while"))
