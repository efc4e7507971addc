/** Until when the caller that checks a session holds it, in epoch milliseconds; null where no check is in progress. */
export interface VerificationClaimColumn {
  claimed_until: number | null
}

/** SQLite sorted the sessions of the partial index, because it preferred the one by status and expiry. */
export const verificationClaims = ({ integer }: { readonly integer: string }): ReadonlyArray<string> => [
  `alter table verification_sessions add column claimed_until ${integer}`,
  "drop index verification_sessions_checks",
  "create index verification_sessions_checks on verification_sessions (status, check_at)"
]
