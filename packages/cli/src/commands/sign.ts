import { Effect } from "effect"
import { Command } from "effect/cli"
import { withServices } from "../environment/connect.ts"
import { CommandRefused } from "../environment/errors.ts"
import { loadSandbox } from "../environment/loadSandbox.ts"
import { projectFlag, resolveProject } from "../environment/project.ts"
import { runningSandbox } from "../environment/runningSandbox.ts"
import { quoteArgument } from "../input/quoteId.ts"
import { jsonFlag, print } from "../output/print.ts"
import { card } from "../output/table.ts"

/**
 * Builds the flags of `execute` for these signatures: `--signature` for a single one, `--signatures` with element
 * hashes for several.
 */
const flagsOf = (signatures: ReadonlyArray<readonly [string, string]>): ReadonlyArray<string> =>
  signatures.length === 1
    ? [`--signature ${signatures[0]![1]}`]
    : signatures.map(([hash, signature]) => `--signatures ${hash}=${signature}`)

export const sign = Command.make(
  "sign",
  { quote: quoteArgument, project: projectFlag, json: jsonFlag },
  ({ json, project, quote: quoteId }) =>
    Effect.gen(function* () {
      yield* runningSandbox
      yield* withServices(
        Effect.gen(function* () {
          const { signQuote } = yield* loadSandbox
          const { id } = yield* resolveProject(project)
          const body = yield* Effect.catchTag(signQuote(id, quoteId), "BAD_REQUEST", ({ problems: [{ message }] }) =>
            Effect.fail(new CommandRefused({ reason: message }))
          )
          const signatures = Object.entries(body.signatures)
          yield* print(json, body, () =>
            card([
              ...signatures.map(([hash, signature]) => [`signature of ${hash}`, signature] as const),
              ["next", ["countersign execute", quoteId, ...flagsOf(signatures)].join(" ")]
            ])
          )
        })
      )
    })
).pipe(
  Command.withExamples([{ command: "countersign sign 0x…", description: "Sign a quote of `countersign swap quote`" }])
)
