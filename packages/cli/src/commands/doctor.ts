import { Effect } from "effect"
import { Command } from "effect/cli"
import { examine, onTerminal, readConfiguration, report, withoutProgress } from "../doctor/index.ts"
import { CommandRefused } from "../environment/errors.ts"
import { jsonFlag, print } from "../output/print.ts"

const progress = process.stderr.isTTY === true ? onTerminal((text) => process.stderr.write(text)) : withoutProgress
const columns = process.stdout.isTTY === true ? process.stdout.columns : null

export const doctor = Command.make("doctor", { json: jsonFlag }, ({ json }) =>
  Effect.gen(function* () {
    const findings = yield* examine(yield* readConfiguration, progress)
    yield* print(json, findings, () => report(findings, columns))
    const failingCount = findings.filter(({ state }) => state === "failing").length
    if (failingCount > 0)
      return yield* new CommandRefused({ reason: `${failingCount} of ${findings.length} checks fail.` })
  })
)
