/** End of the lease of a session check in Unix milliseconds; null if no check is in progress. */
export interface VerificationClaimColumn {
  claimed_until: number | null
}

/**
 * Replaces a partial index that SQLite did not use for sorting: it preferred the index by status and expiry, and then
 * sorted the rows.
 */
export const verificationClaims = ({ integer }: { readonly integer: string }): ReadonlyArray<string> => [
  `alter table verification_sessions add column claimed_until ${integer}`,
  "drop index verification_sessions_checks",
  "create index verification_sessions_checks on verification_sessions (status, check_at)"
]
