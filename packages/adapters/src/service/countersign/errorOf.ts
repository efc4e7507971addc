import { isFieldError } from "@countersign/core/foundation/errors"
import type { Authorization } from "@countersign/core/foundation/signing"
import { Overloaded } from "@countersign/core/foundation/turns"
import { UnpaidGasLimit } from "@countersign/core/operations/unpaid-gas"
import { RevertReason } from "@countersign/core/operations/user-operations"
import { Cause, Predicate, Schema } from "effect"
import { SqlError } from "effect/sql"
import { errorTable } from "../../api/errors/index.ts"
import { DatabaseInUse, databaseFailure } from "../../storage/kysely/index.ts"
import { CountersignError, type CountersignErrorId, libraryErrorIds } from "./CountersignError.ts"

const ids: ReadonlySet<string> = new Set([...Object.keys(errorTable), ...libraryErrorIds])

const isRevertReason = Schema.is(RevertReason)

/** An error of the services. Its tag is the error id, and its message is a sentence. */
interface KnownError {
  readonly _tag: CountersignErrorId
  readonly message: string
  readonly authorization?: Authorization
  readonly reason?: unknown
}

const isKnownError = (thrown: unknown): thrown is KnownError =>
  Predicate.hasProperty(thrown, "_tag") && ids.has(String(thrown._tag))

/** Replaces the names of environment variables in a message by the names of options. */
const messageOf = (error: KnownError): string => {
  if (error instanceof DatabaseInUse) {
    return `${error.filename} is already open, in this or another process. Close the other instance, open it with { workers: false }, or use Postgres, which several processes can share.`
  }
  return error.message.replaceAll("SECRETS_KEY", "the option secretsKey").replaceAll("DATABASE_URL", "database")
}

const libraryErrorOf = (error: KnownError): CountersignError =>
  new CountersignError({
    id: error._tag,
    message: messageOf(error),
    ...(isFieldError(error) ? { problems: error.problems } : {}),
    ...(error.authorization === undefined ? {} : { authorization: error.authorization }),
    ...(isRevertReason(error.reason) ? { revertReason: error.reason } : {}),
    ...(error instanceof UnpaidGasLimit || error instanceof Overloaded
      ? { retryAfterSeconds: error.retryAfterSeconds }
      : {}),
    cause: error
  })

export const closedError = () =>
  new CountersignError({ id: "CLOSED", message: "This Countersign is closed. Open a new one to continue." })

/** Converts any failure of a call to the library's only error class. */
export const errorOf = (cause: Cause.Cause<unknown>): CountersignError => {
  if (Cause.hasInterruptsOnly(cause)) return closedError()
  const thrown = Cause.squash(cause)
  if (thrown instanceof CountersignError) return thrown
  if (isKnownError(thrown)) return libraryErrorOf(thrown)
  if (SqlError.isSqlError(thrown)) {
    const message = `The database ${databaseFailure(thrown)}.`
    return new CountersignError({ id: "DATABASE_UNUSABLE", message, cause: thrown })
  }
  const message = "An unexpected error. See its cause."
  return new CountersignError({ id: "INTERNAL_SERVER_ERROR", message, cause: thrown })
}
