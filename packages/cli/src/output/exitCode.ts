import type { ErrorId } from "@countersign/core/errors"
import { CliError } from "effect/cli"

/** Exit codes, so that a script can distinguish failures. */
export const exitCodes = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  notFound: 3,
  refused: 4,
  unavailable: 5,
  interrupted: 130
} as const

const notFound: ReadonlySet<string> = new Set<ErrorId | "CLI_NOT_FOUND">([
  "ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT",
  "USER_OPERATION_NOT_FOUND",
  "PROJECT_NOT_FOUND",
  "LIQUIDITY_POOL_NOT_FOUND",
  "LIQUIDITY_POSITION_NOT_FOUND",
  "WEBHOOK_NOT_FOUND",
  "WEBHOOK_DELIVERY_NOT_FOUND",
  "CLI_NOT_FOUND"
])

const unavailable: ReadonlySet<string> = new Set<string>([
  "UPSTREAM_UNAVAILABLE",
  "SWAP_QUOTE",
  "NOTHING_TO_CONNECT_TO",
  "SANDBOX_UNREACHABLE",
  "CANNOT_LISTEN",
  "SqlError"
])

const tagOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "_tag" in error ? String(error._tag) : ""

/** The exit code of a failed command. */
export const exitCodeOf = (error: unknown): number => {
  if (CliError.isCliError(error) || tagOf(error) === "ConfigError" || tagOf(error) === "SETTING_INVALID") {
    return exitCodes.usage
  }
  const tag = tagOf(error)
  if (notFound.has(tag)) return exitCodes.notFound
  if (unavailable.has(tag) || tag === "SandboxError") return exitCodes.unavailable
  // Every other error with such a tag is one of our own refusals.
  return /^[A-Z][A-Z_0-9]+$/u.test(tag) ? exitCodes.refused : exitCodes.unexpected
}
