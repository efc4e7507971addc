import { Predicate } from "effect"
import { SqlError } from "effect/sql"

/** The effect/sql errors for some SQLSTATEs of Postgres. The cause is the driver's error. */
const reasons: Record<string, new (fields: { cause: unknown; message: string }) => SqlError.SqlErrorReason> = {
  "23502": SqlError.ConstraintError,
  "23503": SqlError.ConstraintError,
  "23514": SqlError.ConstraintError,
  "40001": SqlError.SerializationError,
  "40P01": SqlError.DeadlockError,
  "55P03": SqlError.LockTimeoutError,
  "57014": SqlError.StatementTimeoutError
}

const textOf = (cause: unknown, field: "code" | "constraint" | "message"): string => {
  const value = Predicate.hasProperty(cause, field) ? cause[field] : undefined
  return typeof value === "string" ? value : ""
}

/**
 * Builds the error message. It contains the statement, so that a failure can be located, but not the parameters, which
 * may be private.
 */
const describeError = (cause: unknown, sql: string): string => `${textOf(cause, "message") || String(cause)} in: ${sql}`

/**
 * Whether the connection was lost: connection errors of `@effect/sql-pg`, and the SQLSTATE classes 53 (resources) and
 * 57P (shutdown).
 */
const isConnectionLoss = (reason: SqlError.SqlErrorReason, code: string): boolean =>
  reason._tag === "ConnectionError" || /^(?:53|57P)/u.test(code)

export const sqlErrorFromPostgres = ({ reason }: SqlError.SqlError, sql: string): SqlError.SqlError => {
  const { cause } = reason
  const code = textOf(cause, "code")
  const fields = { cause, message: describeError(cause, sql) }
  if (code === "23505") {
    const constraint = textOf(cause, "constraint") || "unknown"
    return new SqlError.SqlError({ reason: new SqlError.UniqueViolation({ ...fields, constraint }) })
  }
  const Reason = reasons[code] ?? (isConnectionLoss(reason, code) ? SqlError.ConnectionError : SqlError.UnknownError)
  return new SqlError.SqlError({ reason: new Reason(fields) })
}

export const sqlErrorFromSqlite = (cause: unknown, sql: string): SqlError.SqlError => {
  const fields = { cause, message: describeError(cause, sql) }
  if (textOf(cause, "code") === "SQLITE_CONSTRAINT_PRIMARYKEY") {
    const constraint = /constraint failed: (.+)$/u.exec(textOf(cause, "message"))?.[1] ?? "unknown"
    return new SqlError.SqlError({ reason: new SqlError.UniqueViolation({ ...fields, constraint }) })
  }
  return new SqlError.SqlError({ reason: SqlError.classifySqliteError(cause, fields) })
}

/** Whether another connection holds the lock. The statement had no effect and can be run again. */
export const isSqliteBusy = (cause: unknown): boolean => textOf(cause, "code").startsWith("SQLITE_BUSY")

/** Whether the file is corrupt. */
export const isSqliteDamage = (cause: unknown): boolean => /^SQLITE_(?:CORRUPT|NOTADB)/u.test(textOf(cause, "code"))
