import { parseEnv } from "node:util"
import { BadRequest, type RequestProblem } from "@countersign/core/errors"
import * as NodeServices from "@effect/platform-node/NodeServices"
import {
  Cause,
  Config,
  ConfigProvider,
  Console,
  Context,
  Effect,
  Exit,
  FileSystem,
  Layer,
  Logger,
  Option,
  Predicate,
  References
} from "effect"
import { CliError, Command } from "effect/cli"
import { countersign } from "./command.ts"
import { SettingNames } from "./environment/settingNames.ts"
import { exitCodeOf, exitCodes } from "./output/exitCode.ts"

/** The environment of a process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The environment first, then a `.env` file in the current folder where there is one. */
const layerConfig = (environment: Environment) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const fromFile = (yield* files.exists(".env")) ? parseEnv(yield* files.readFileString(".env")) : {}
      const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""))
      const all = { ...fromFile, ...set }
      return Context.make(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(all)).pipe(
        Context.add(SettingNames, Object.keys(all))
      )
    })
  )

const problemLine = ({ message, path }: RequestProblem) => (path === "" ? message : `${path}: ${message}`)

const sentenceOf = (error: unknown): string =>
  error instanceof BadRequest
    ? error.problems.map(problemLine).join("\n")
    : error instanceof Error
      ? error.message
      : typeof error === "object" && error !== null
        ? String(error)
        : `${error}`

/** A database that can't be used, wherever it was met: a query of a store that fails is a defect there. */
const databaseFaultOrNull = (cause: Cause.Cause<unknown>) => {
  for (const reason of cause.reasons) {
    const found = reason._tag === "Fail" ? reason.error : reason._tag === "Die" ? reason.defect : null
    if (Predicate.isTagged(found, "SqlError")) return found
  }
  return null
}

const databaseSentence = Effect.fnUntraced(function* (fault: unknown) {
  const { databaseFailure } = yield* Effect.promise(() => import("@countersign/adapters/kysely"))
  const url = yield* Effect.option(Config.Redacted("DATABASE_URL"))
  const place = Option.isSome(url) ? "that DATABASE_URL names" : "in the folder that COUNTERSIGN_HOME names"
  return `The database ${place} ${databaseFailure(fault)}. \`countersign doctor\` says which it is; if it is damaged, put a backup in its place.`
})

/** A failure in one sentence on stderr; a stack trace only where we have failed ourselves. */
const explain = (cause: Cause.Cause<unknown>) => {
  const error = Option.getOrNull(Cause.findErrorOption(cause))
  // The command line's own errors were shown with the help already.
  if (error !== null && CliError.isCliError(error)) return Effect.void
  const fault = databaseFaultOrNull(cause)
  if (fault !== null) return Effect.flatMap(databaseSentence(fault), Console.error)
  return Console.error(error === null ? Cause.pretty(cause) : sentenceOf(error))
}

/** Runs one command line. Prints an error before it fails. */
export const program = (words: ReadonlyArray<string>, environment: Environment) =>
  Effect.flatMap(countersign(words), (command) => Command.runWith(command, { version: "0.1.0" })(words)).pipe(
    Effect.tapCause((cause) => (Cause.hasInterruptsOnly(cause) ? Effect.void : explain(cause))),
    Effect.provide(layerConfig(environment).pipe(Layer.provideMerge(NodeServices.layer))),
    Effect.provideService(References.MinimumLogLevel, "Info"),
    Effect.provide(Logger.layer([Logger.withConsoleError(Logger.formatLogFmt)]))
  )

/** What the process ends with. */
export const exitCodeOfExit = (exit: Exit.Exit<unknown, unknown>): number => {
  if (Exit.isSuccess(exit)) return exitCodes.ok
  // Ctrl-C is how the server and the sandbox are stopped: they have shut down cleanly.
  if (Cause.hasInterruptsOnly(exit.cause)) return exitCodes.ok
  if (databaseFaultOrNull(exit.cause) !== null) return exitCodes.unavailable
  const error = Cause.findErrorOption(exit.cause)
  return Option.match(error, { onNone: () => exitCodes.unexpected, onSome: exitCodeOf })
}
