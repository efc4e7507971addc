import { BadRequest, type RequestProblem } from "@countersign/core/errors"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, ConfigProvider, Effect, Exit, FileSystem, Layer, Logger, Option, References } from "effect"
import { CliError, Command } from "effect/cli"
import { countersign } from "./command.ts"
import { exitCodeOf, exitCodes } from "./output/exitCode.ts"

/** The environment first, then a `.env` file in the current folder where there is one. */
const layerConfig = Layer.effect(
  ConfigProvider.ConfigProvider,
  Effect.gen(function* () {
    const environment = ConfigProvider.fromEnv()
    const files = yield* FileSystem.FileSystem
    return (yield* files.exists(".env"))
      ? ConfigProvider.orElse(environment, yield* ConfigProvider.fromDotEnv({ path: ".env" }))
      : environment
  })
)

/** Where a request is wrong stands in the words of the API; the command line has no body and no query. */
const problemLine = ({ message, path }: RequestProblem) => `${path.replace(/^(?:body|query|path)\./u, "")}: ${message}`

const sentenceOf = (error: unknown): string =>
  error instanceof BadRequest
    ? error.problems.map(problemLine).join("\n")
    : error instanceof Error
      ? error.message
      : typeof error === "object" && error !== null
        ? String(error)
        : `${error}`

/** A failure in one sentence on stderr; a stack trace only where we have failed ourselves. */
const explain = (cause: Cause.Cause<unknown>) =>
  Effect.sync(() => {
    const error = Option.getOrNull(Cause.findErrorOption(cause))
    // The command line's own errors were shown with the help already.
    if (error !== null && CliError.isCliError(error)) return
    process.stderr.write(`${error === null ? Cause.pretty(cause) : sentenceOf(error)}\n`)
  })

const words = process.argv.slice(2)

const program = Effect.flatMap(countersign(words), (command) =>
  Command.runWith(command, { version: "0.1.0" })(words)
).pipe(
  Effect.tapCause((cause) => (Cause.hasInterruptsOnly(cause) ? Effect.void : explain(cause))),
  Effect.provide(layerConfig.pipe(Layer.provideMerge(NodeServices.layer))),
  Effect.provideService(References.MinimumLogLevel, "Info"),
  Effect.provide(Logger.layer([Logger.withConsoleError(Logger.formatLogFmt)]))
)

NodeRuntime.runMain(program, {
  disableErrorReporting: true,
  teardown: (exit, onExit) => {
    if (Exit.isSuccess(exit)) return onExit(exitCodes.ok)
    // Ctrl-C is how the server and the sandbox are stopped: they have shut down cleanly.
    if (Cause.hasInterruptsOnly(exit.cause)) return onExit(exitCodes.ok)
    const error = Cause.findErrorOption(exit.cause)
    onExit(Option.match(error, { onNone: () => exitCodes.unexpected, onSome: exitCodeOf }))
  }
})
