import type { Migration } from "./Migration.ts"

/** When a watched wallet is looked at for its debt, and whether it had none at the last look. */
export const closedLoans: Migration = {
  name: "0017_closed_loans",
  statements: ({ integer }) => [
    `alter table watched_loans add column look_at ${integer} not null default 0`,
    `alter table watched_loans add column was_free ${integer} not null default 0`,
    "create index watched_loans_by_look on watched_loans (look_at)"
  ]
}
