/** Time of the session's next check by the identity provider, in Unix milliseconds. */
export interface CheckAtColumn {
  check_at: number
}

export const verificationChecks = ({ integer }: { readonly integer: string }): ReadonlyArray<string> => [
  `alter table verification_sessions add column check_at ${integer} not null default 0`,
  "create index verification_sessions_checks on verification_sessions (check_at) where status = 'VERIFYING'"
]
