import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Console, Effect, Exit, Option } from "effect"
import { sandboxForDemo } from "./demoSandbox.ts"
import { bold, red, say } from "./narrate.ts"
import { runOperations } from "./walk.ts"

/** `npm run demo`: a complete swap on the sandbox, step by step, over HTTP only. */
const runDemo = Effect.gen(function* () {
  const { file, home } = yield* sandboxForDemo
  const sandboxName = home === null ? "a temporary sandbox" : `the sandbox of ${home}`
  say(`The service runs at ${file.baseUrl}, ${sandboxName}.`)
  yield* runOperations(file)
  return home === null
    ? "The demo's sandbox is stopped; `npm start` starts a permanent one."
    : `Try the requests at ${file.baseUrl}/docs; the key is in ${home}/sandbox.json.`
})

const demo = Effect.gen(function* () {
  yield* Console.log(bold("Countersign: a first swap, from a new wallet to its history"))
  say(yield* Effect.scoped(runDemo))
}).pipe(
  Effect.tapCause((cause) => {
    if (Cause.hasInterruptsOnly(cause)) return Effect.void
    const error = Option.getOrNull(Cause.findErrorOption(cause))
    return Console.error(`\n${red(error instanceof Error ? error.message : Cause.pretty(cause))}`)
  })
)

NodeRuntime.runMain(demo, {
  disableErrorReporting: true,
  teardown: (exit, onExit) => onExit(Exit.isSuccess(exit) ? 0 : Cause.hasInterruptsOnly(exit.cause) ? 130 : 1)
})
