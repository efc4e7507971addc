import { Predicate } from "effect"
import { SqlError } from "effect/sql"

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "refused the connection",
  ENOTFOUND: "has an unknown host name",
  ENOENT: "has no socket at that path",
  EACCES: "can't be opened",
  "28P01": "does not accept the user or the password",
  "28000": "does not accept the user",
  "3D000": "has no database with that name",
  "53100": "has no space left: its disk is full",
  "53300": "has no connection left",
  SQLITE_FULL: "has no space left: its disk is full",
  SQLITE_CANTOPEN: "can't be opened",
  SQLITE_NOTADB: "is not a SQLite database",
  SQLITE_READONLY: "can't be written",
  SQLITE_BUSY: "is locked by another process",
  SQLITE_CORRUPT: "is damaged",
  SQLITE_IOERR: "can't be read or written because of a disk error"
}

/** Describes why a database can't be used. The text contains no statements or URLs. */
export const databaseFailure = (thrown: unknown): string => {
  const cause = SqlError.isSqlError(thrown) && "cause" in thrown.reason ? thrown.reason.cause : thrown
  const code = Predicate.hasProperty(cause, "code") ? String(cause.code) : ""
  // A connection timeout has no error code.
  if (code === "" && /timed out/iu.test(String(Predicate.hasProperty(cause, "message") && cause.message))) {
    return "did not respond in time"
  }
  const knownReason = Object.entries(REASONS).find(([start]) => code.startsWith(start))?.[1]
  return knownReason ?? `does not respond to a query${code === "" ? "" : ` (${code})`}`
}
