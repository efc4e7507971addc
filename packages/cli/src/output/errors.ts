import { FolderNotWritable } from "@countersign/adapters/storage/files"
import { BadRequest, type RequestProblem } from "@countersign/core/foundation/errors"
import { Cause, Config, Console, Effect, Option, Predicate } from "effect"
import { CliError, CliOutput } from "effect/cli"
import { toJson } from "./print.ts"

/** An error as JSON, in the format of the API's error bodies. */
interface ErrorJson {
  readonly id: string
  readonly message: string
  readonly errors?: ReadonlyArray<RequestProblem>
}

const problemLine = ({ message, path }: RequestProblem) => (path === "" ? message : `${path}: ${message}`)

const sentenceOf = (error: unknown): string =>
  error instanceof BadRequest
    ? error.problems.map(problemLine).join("\n")
    : error instanceof Error
      ? error.message
      : typeof error === "object" && error !== null
        ? String(error)
        : `${error}`

const errorJson = (error: unknown): ErrorJson => ({
  id: Predicate.hasProperty(error, "_tag") ? String(error._tag) : "UNEXPECTED",
  message: sentenceOf(error),
  ...(error instanceof BadRequest ? { errors: error.problems } : {})
})

/**
 * Finds a database failure among the reasons of a cause. Null if there is none. The core reports a failed query as a
 * defect.
 */
export const databaseFaultOrNull = (cause: Cause.Cause<unknown>) => {
  for (const reason of cause.reasons) {
    const thrownError = reason._tag === "Fail" ? reason.error : reason._tag === "Die" ? reason.defect : null
    if (Predicate.isTagged(thrownError, "SqlError")) return thrownError
  }
  return null
}

/** Finds a folder that could not be created, even inside a database failure. Null if there is none. */
export const folderFaultOrNull = (cause: Cause.Cause<unknown>): FolderNotWritable | null => {
  for (const reason of cause.reasons) {
    let thrownError: unknown = reason._tag === "Fail" ? reason.error : reason._tag === "Die" ? reason.defect : null
    while (typeof thrownError === "object" && thrownError !== null) {
      if (thrownError instanceof FolderNotWritable) return thrownError
      thrownError = Object(thrownError).reason?.cause ?? Object(thrownError).cause
    }
  }
  return null
}

const databaseSentence = Effect.fnUntraced(function* (fault: unknown) {
  const { databaseFailure } = yield* Effect.promise(() => import("@countersign/adapters/storage/kysely"))
  const url = yield* Effect.option(Config.Redacted("DATABASE_URL"))
  const locationText = Option.isSome(url) ? "of DATABASE_URL" : "in the folder COUNTERSIGN_HOME"
  return `The database ${locationText} ${databaseFailure(fault)}. \`countersign doctor\` shows the cause. If the database is damaged, restore a backup.`
})

/** Describes a failure. The text contains a stack trace only for internal defects. */
const describeCause = Effect.fnUntraced(function* (cause: Cause.Cause<unknown>) {
  const folderFault = folderFaultOrNull(cause)
  const fault = databaseFaultOrNull(cause)
  if (folderFault === null && fault !== null) {
    const message = yield* databaseSentence(fault)
    return { text: message, json: { id: "DATABASE", message } }
  }
  const error = folderFault ?? Option.getOrNull(Cause.findErrorOption(cause))
  if (error === null) {
    const text = Cause.pretty(cause)
    return { text, json: { id: "UNEXPECTED", message: text } }
  }
  return { text: sentenceOf(error), json: errorJson(error) }
})

/** Prints a failure to stderr: a message, or JSON with `--json`. */
export const explain = (asJson: boolean) => (cause: Cause.Cause<unknown>) => {
  const error = Option.getOrNull(Cause.findErrorOption(cause))
  // The formatter has already printed errors in the usage of the command line.
  if (error !== null && CliError.isCliError(error)) return Effect.void
  return Effect.flatMap(describeCause(cause), ({ json, text }) => Console.error(asJson ? toJson(json) : text))
}

/** Formats a usage error as two lines: the problem, and the command that prints the help. */
const usageText = (commandPath: ReadonlyArray<string>, errors: ReadonlyArray<CliError.CliError>) =>
  `${errors.map(({ message }) => message.replaceAll(/\s*\n\s*/gu, " ")).join("; ")}\n\`${commandPath.join(" ")} --help\` shows the usage.`

/** Formats help like Effect's default, and usage errors like all other errors of this program. */
export const outputFormatter = (asJson: boolean): typeof CliOutput.defaultPresenter => ({
  present: (event) => {
    if (event._tag !== "InvalidInvocation") return CliOutput.defaultPresenter.present(event)
    const text = usageText(event.commandPath, event.errors)
    return Console.error(asJson ? toJson({ id: "USAGE", message: text }) : text)
  }
})
