import type { RequestProblem } from "@countersign/core/foundation/errors"
import type { Authorization } from "@countersign/core/foundation/signing"
import type { RevertReason } from "@countersign/core/operations/user-operations"
import type { ErrorId } from "../../api/errors/index.ts"

/**
 * Ids of errors that only the library has. `ErrorId` has the ids of the API, and `/docs/errors` of a service documents
 * them.
 */
export const libraryErrorIds = [
  /** An option of `open` is missing, unknown or malformed. `problems` lists all such options. */
  "OPTION_INVALID",
  /** The process runs on a Node version that is too old. */
  "NODE_TOO_OLD",
  /** The call was made after `close`, or was pending at that time. */
  "CLOSED",
  /** `wait` reached its `timeoutMs`. The operation continues. */
  "WAIT_TIMEOUT",
  /** The database does not respond, or cannot be written. */
  "DATABASE_UNUSABLE",
  /** Another process, or another `open` in this process, uses the SQLite file. */
  "DATABASE_IN_USE",
  /** The SQLite file is damaged. */
  "DATABASE_DAMAGED",
  /** A later version has migrated the database. */
  "DATABASE_IS_NEWER",
  /** `secretsKey` lacks a key that encrypted stored secrets. */
  "SECRET_KEY_MISSING",
  /** A webhook needs the option `secretsKey`, which is not set. */
  "SECRET_KEY_NOT_SET",
  /** A defect of the library, or of the host's code. `cause` has the details. */
  "INTERNAL_SERVER_ERROR"
] as const

export type CountersignErrorId = ErrorId | (typeof libraryErrorIds)[number]

export interface CountersignErrorFields {
  readonly id: CountersignErrorId
  readonly message: string
  readonly problems?: ReadonlyArray<RequestProblem>
  readonly authorization?: Authorization
  readonly revertReason?: RevertReason
  readonly retryAfterSeconds?: number
  readonly cause?: unknown
}

/** The error class of the library: use `switch (error.id)`. Ids and messages are the same as in the API. */
export class CountersignError extends Error {
  override readonly name = "CountersignError"
  readonly id: CountersignErrorId
  /** BAD_REQUEST and OPTION_INVALID: all problems by field. Other errors: empty. */
  readonly problems: ReadonlyArray<RequestProblem>
  /** AUTHORIZATION_STALE: the tuple that must be signed instead. */
  declare readonly authorization?: Authorization
  /** QUOTE_STALE: why the operation would revert. */
  declare readonly revertReason?: RevertReason
  /** UNPAID_GAS_LIMIT and OVERLOADED: seconds after which the request can be repeated. */
  declare readonly retryAfterSeconds?: number

  constructor({ cause, id, message, problems = [], ...further }: CountersignErrorFields) {
    super(message, { cause })
    this.id = id
    this.problems = problems
    Object.assign(this, further)
  }
}
