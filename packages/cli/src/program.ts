import { parseEnv } from "node:util"
import * as NodeServices from "@effect/platform-node/NodeServices"
import {
  Cause,
  ConfigProvider,
  Console,
  Context,
  Effect,
  Exit,
  FileSystem,
  Layer,
  Logger,
  Option,
  References
} from "effect"
import { CliOutput, Command } from "effect/cli"
import { countersign } from "./command.ts"
import { SettingNames } from "./environment/settingNames.ts"
import { databaseFaultOrNull, explain, folderFaultOrNull, outputFormatter } from "./output/errors.ts"
import { exitCodeOf, exitCodes } from "./output/exitCode.ts"

/** The environment of a process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Provides settings from the environment, otherwise from the `.env` file in the current folder, if it exists. */
const layerConfig = (environment: Environment) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const fileVariables = (yield* files.exists(".env")) ? parseEnv(yield* files.readFileString(".env")) : {}
      const nonEmptyVariables = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""))
      const allVariables = { ...fileVariables, ...nonEmptyVariables }
      return Context.make(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(allVariables)).pipe(
        Context.add(SettingNames, Object.keys(allVariables))
      )
    })
  )

/** Printed when Ctrl-C stops a command. */
const printStopped = Console.error("Stopped.")

/** Returns whether a command runs the service. Such a command writes logs; other commands print their results. */
const isService = ([name, verb]: ReadonlyArray<string>): boolean =>
  name === "serve" || (name === "sandbox" && verb === "start")

/** Runs one command line. Prints an error before it fails. */
export const program = (args: ReadonlyArray<string>, environment: Environment) => {
  const isJson = args.includes("--json")
  return Effect.flatMap(countersign(args), (command) => Command.runWith(command, { version: "0.1.0" })(args)).pipe(
    Effect.tapCause((cause) => (Cause.hasInterruptsOnly(cause) ? Effect.void : explain(isJson)(cause))),
    Effect.onInterrupt(() => printStopped),
    Effect.provideService(CliOutput.Presenter, outputFormatter(isJson)),
    Effect.provide(layerConfig(environment).pipe(Layer.provideMerge(NodeServices.layer))),
    Effect.provideService(References.MinimumLogLevel, isService(args) ? "Info" : "Fatal"),
    Effect.provide(Logger.layer([Logger.withConsoleError(Logger.formatLogFmt)]))
  )
}

/** Returns whether a command runs until it is stopped, so that a signal is its normal end. */
const runsUntilStopped = (args: ReadonlyArray<string>): boolean =>
  isService(args) || args[0] === "mcp" || (args[0] === "webhook" && args[1] === "listen")

export const exitCodeOfExit = (exit: Exit.Exit<unknown, unknown>, args: ReadonlyArray<string>): number => {
  if (Exit.isSuccess(exit)) return exitCodes.ok
  if (Cause.hasInterruptsOnly(exit.cause)) return runsUntilStopped(args) ? exitCodes.ok : exitCodes.interrupted
  if (folderFaultOrNull(exit.cause) !== null) return exitCodes.usage
  if (databaseFaultOrNull(exit.cause) !== null) return exitCodes.unavailable
  const error = Cause.findErrorOption(exit.cause)
  return Option.match(error, { onNone: () => exitCodes.unexpected, onSome: exitCodeOf })
}
