import { errorTable } from "@countersign/adapters/api/errors"
import { CliError } from "effect/cli"

/** Exit codes by type of failure, for scripts. */
export const exitCodes = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  notFound: 3,
  refused: 4,
  unavailable: 5,
  interrupted: 130
} as const

/**
 * Tags of errors for the exit code `unavailable`: an upstream, the database or the sandbox is not available, or the
 * address cannot be listened on.
 */
const unavailableTags: ReadonlySet<string> = new Set([
  "SWAP_QUOTE",
  "BLOCKCHAIN_ERROR",
  "NOTHING_TO_CONNECT_TO",
  "SANDBOX_UNREACHABLE",
  "SandboxError",
  "CANNOT_LISTEN",
  "SqlError"
])

const statuses: Readonly<Record<string, { readonly status: number } | undefined>> = errorTable

const tagOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "_tag" in error ? String(error._tag) : ""

/** Returns the exit code of a failed command. */
export const exitCodeOf = (error: unknown): number => {
  if (CliError.isCliError(error) || tagOf(error) === "ConfigError" || tagOf(error) === "SETTING_INVALID") {
    return exitCodes.usage
  }
  const tag = tagOf(error)
  const status = statuses[tag]?.status
  if (status === 404 || tag === "CLI_NOT_FOUND") return exitCodes.notFound
  if (unavailableTags.has(tag) || status === 502) return exitCodes.unavailable
  // Other errors with a tag in upper case are rejections by the command line, the sandbox or the service.
  return /^[A-Z][A-Z_0-9]+$/u.test(tag) ? exitCodes.refused : exitCodes.unexpected
}
