import type { Migration } from "./Migration.ts"

/** What several processes count together: requests of a key in a window, and answers under an idempotency key. */
export const metering: Migration = {
  name: "0004_metering",
  statements: ({ text, integer }) => [
    `create table rate_counts (
      key_id ${text} not null,
      window_start ${integer} not null,
      requests ${integer} not null,
      primary key (key_id, window_start)
    )`,
    `create index rate_counts_old on rate_counts (window_start)`,
    `create table idempotent_requests (
      project_id ${text} not null,
      idempotency_key ${text} not null,
      fingerprint ${text} not null,
      answer ${text},
      locked_until ${integer} not null,
      created_at ${integer} not null,
      primary key (project_id, idempotency_key)
    )`,
    `create index idempotent_requests_old on idempotent_requests (created_at)`
  ]
}
