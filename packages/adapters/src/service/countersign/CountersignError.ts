import type { RequestProblem } from "@countersign/core/foundation/errors"
import type { Authorization } from "@countersign/core/foundation/signing"
import type { RevertReason } from "@countersign/core/operations/user-operations"
import type { ErrorId } from "../../api/errors/index.ts"

/** Ids of errors that only the library has. Those of the API are in `ErrorId`, and `/docs/errors` of a service explains them. */
export const libraryErrorIds = [
  /** An option of `open` is missing, unknown or malformed. `problems` names each. */
  "OPTION_INVALID",
  /** The process runs on a Node that is too old. */
  "NODE_TOO_OLD",
  /** The call came after `close`, or was under way then. */
  "CLOSED",
  /** `wait` reached its `timeoutMs`. The operation continues. */
  "WAIT_TIMEOUT",
  /** The database does not answer, or can't be written. */
  "DATABASE_UNUSABLE",
  /** Another process, or another `open` of this one, works on the SQLite file. */
  "DATABASE_IN_USE",
  /** The SQLite file is not as SQLite has written it. */
  "DATABASE_DAMAGED",
  /** A later version has migrated the database. */
  "DATABASE_IS_NEWER",
  /** `secretsKey` lacks a key that stored secrets are sealed with. */
  "SECRET_KEY_MISSING",
  /** A webhook needs the option `secretsKey`, which was left out. */
  "SECRET_KEY_NOT_SET",
  /** A fault of the library, or of what the host brought. `cause` has it. */
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

/** Every error of the library: `switch (error.id)`. The ids and sentences are those of the API. */
export class CountersignError extends Error {
  override readonly name = "CountersignError"
  readonly id: CountersignErrorId
  /** BAD_REQUEST and OPTION_INVALID: everything that is wrong, by field. Empty otherwise. */
  readonly problems: ReadonlyArray<RequestProblem>
  /** AUTHORIZATION_STALE: the tuple to sign instead. */
  declare readonly authorization?: Authorization
  /** QUOTE_STALE: why the operation would revert. */
  declare readonly revertReason?: RevertReason
  /** UNPAID_GAS_LIMIT and OVERLOADED: when the same request can be made again, in seconds. */
  declare readonly retryAfterSeconds?: number

  constructor({ cause, id, message, problems = [], ...further }: CountersignErrorFields) {
    super(message, { cause })
    this.id = id
    this.problems = problems
    Object.assign(this, further)
  }
}
