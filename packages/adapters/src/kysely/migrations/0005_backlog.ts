import type { Migration } from "./Migration.ts"

/** What an operator looks at of webhooks: endpoints that failed and are tried again, and those that are disabled. */
export const backlog: Migration = {
  name: "0005_backlog",
  statements: () => [
    `create index webhook_deliveries_retrying on webhook_deliveries (endpoint_id, due_at, id)
      where due_at is not null and attempts > 0`,
    `create index webhook_endpoints_disabled on webhook_endpoints (disabled_at desc, id)
      where disabled_at is not null`
  ]
}
