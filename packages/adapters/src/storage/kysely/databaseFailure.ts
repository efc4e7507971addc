import { Predicate } from "effect"
import { SqlError } from "effect/sql"

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "refused the connection",
  ENOTFOUND: "has a host name that is not known",
  ENOENT: "has no socket at that path",
  EACCES: "can't be opened",
  "28P01": "does not take the user or the password",
  "28000": "does not take the user",
  "3D000": "has no database of that name",
  "53100": "has no room left: its disk is full",
  "53300": "has no connection left",
  SQLITE_FULL: "has no room left: its disk is full",
  SQLITE_CANTOPEN: "can't be opened",
  SQLITE_NOTADB: "is not a SQLite database",
  SQLITE_READONLY: "can't be written",
  SQLITE_BUSY: "is locked by another process",
  SQLITE_CORRUPT: "is damaged",
  SQLITE_IOERR: "can't be read or written: its disk fails"
}

/** Why a database cannot be used, as text without statements and URLs. */
export const databaseFailure = (thrown: unknown): string => {
  const cause = SqlError.isSqlError(thrown) && "cause" in thrown.reason ? thrown.reason.cause : thrown
  const code = Predicate.hasProperty(cause, "code") ? String(cause.code) : ""
  // A connection timeout has no code.
  if (code === "" && /timed out/iu.test(String(Predicate.hasProperty(cause, "message") && cause.message))) {
    return "did not respond in time"
  }
  const knownReason = Object.entries(WORDS).find(([start]) => code.startsWith(start))?.[1]
  return knownReason ?? `does not respond to a query${code === "" ? "" : ` (${code})`}`
}
