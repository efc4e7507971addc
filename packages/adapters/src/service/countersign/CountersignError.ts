import type { RequestProblem } from "@countersign/core/foundation/errors"
import type { Authorization } from "@countersign/core/foundation/signing"
import type { RevertReason } from "@countersign/core/operations/user-operations"
import type { ErrorId } from "../../api/errors/index.ts"

/**
 * Ids of errors that only the library has. `ErrorId` contains the ids of the API, which `/docs/errors` of a service
 * documents.
 */
export const libraryErrorIds = [
  /** An option of `open` is missing, unknown or malformed. `problems` lists all such options. */
  "OPTION_INVALID",
  /** The Node version of the process is too old. */
  "NODE_TOO_OLD",
  /** The call was made after `close`, or was pending at that time. */
  "CLOSED",
  /** `wait` reached its `timeoutMs`. The operation continues. */
  "WAIT_TIMEOUT",
  /** The database does not respond, or can't be written. */
  "DATABASE_UNUSABLE",
  /** Another process, or another `open` in this process, uses the SQLite file. */
  "DATABASE_IN_USE",
  /** The SQLite file is corrupt. */
  "DATABASE_DAMAGED",
  /** A later version has migrated the database. */
  "DATABASE_IS_NEWER",
  /** `secretsKey` lacks a key with which stored secrets are encrypted. */
  "SECRET_KEY_MISSING",
  /** A webhook needs the option `secretsKey`, which is not set. */
  "SECRET_KEY_NOT_SET",
  /** A bug in the library or in the host's code. `cause` contains the details. */
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

/**
 * The only error class of the library. Use `switch (error.id)`. The ids are those of the API and those that only the
 * library has.
 */
export class CountersignError extends Error {
  override readonly name = "CountersignError"
  readonly id: CountersignErrorId
  /**
   * The problems by field. Set for BAD_REQUEST, OPTION_INVALID, INDIVIDUAL_VERIFICATION_REQUIRED and
   * FIAT_CUSTOMER_NOT_READY, otherwise empty. A schema reports at most 50 problems.
   */
  readonly problems: ReadonlyArray<RequestProblem>
  /** For AUTHORIZATION_STALE: the tuple that must be signed instead. */
  declare readonly authorization?: Authorization
  /** For QUOTE_STALE: why the operation would revert. */
  declare readonly revertReason?: RevertReason
  /** For UNPAID_GAS_LIMIT and OVERLOADED: seconds after which the request can be repeated. */
  declare readonly retryAfterSeconds?: number

  constructor({ cause, id, message, problems = [], ...otherFields }: CountersignErrorFields) {
    super(message, { cause })
    this.id = id
    this.problems = problems
    Object.assign(this, otherFields)
  }
}
