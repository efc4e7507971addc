/** Tables of events, numbered per resource, and of their deliveries to the endpoints of projects. */
export const webhooks = {
  tables: {
    // Last sequence number of each resource. Appending an event locks the row, so that there are no gaps.
    event_sequences: {
      project_id: "text not null",
      resource: "text not null",
      last: "integer not null",
      "primary key": "(project_id, resource)"
    },
    events: {
      id: "text primary key",
      project_id: "text not null",
      type: "text not null",
      resource_kind: "text not null",
      resource_id: "text not null",
      sequence: "integer not null",
      at: "integer not null",
      previous_status: "text",
      snapshot: "text not null",
      /** Text to send; null before the first attempt. */
      body: "text"
    },
    webhook_endpoints: {
      id: "text primary key",
      project_id: "text not null",
      url: "text not null",
      description: "text not null",
      event_types: "text",
      /** JSON of the secrets, which the service encrypts. */
      secrets: "text not null",
      created_at: "integer not null",
      disabled_at: "integer",
      disabled_reason: "text",
      failing_since: "integer"
    },
    webhook_deliveries: {
      id: "text primary key",
      project_id: "text not null",
      endpoint_id: "text not null references webhook_endpoints (id) on delete cascade",
      event_id: "text not null references events (id)",
      event_type: "text not null",
      resource: "text not null",
      sequence: "integer not null",
      status: "text not null",
      attempts: "integer not null",
      /** Null unless the delivery is pending and is the earliest one of its resource for its endpoint. */
      due_at: "integer",
      claimed_by: "text",
      claimed_until: "integer",
      last_status: "integer",
      last_error: "text",
      created_at: "integer not null",
      delivered_at: "integer",
      log: "text not null"
    }
  },
  indices: [
    "create unique index events_sequence on events (project_id, resource_kind, resource_id, sequence)",
    "create index events_oldest on events (at, id)",
    "create index webhook_endpoints_oldest on webhook_endpoints (project_id, created_at, id)",
    `create index webhook_endpoints_disabled on webhook_endpoints (disabled_at desc, id)
    where disabled_at is not null`,
    "create index webhook_deliveries_newest on webhook_deliveries (endpoint_id, created_at desc, id desc)",
    // Excludes ended deliveries, and deliveries that wait for an earlier event of their resource.
    "create index webhook_deliveries_due on webhook_deliveries (due_at, id) where due_at is not null",
    `create index webhook_deliveries_retrying on webhook_deliveries (endpoint_id, due_at, id)
    where due_at is not null and attempts > 0`,
    `create index webhook_deliveries_line on webhook_deliveries (endpoint_id, resource, sequence)
    where status = 'PENDING'`,
    "create index webhook_deliveries_ended on webhook_deliveries (created_at, id) where status <> 'PENDING'",
    // Without this index, deleting an event scans all deliveries for references.
    "create index webhook_deliveries_event on webhook_deliveries (event_id)"
  ]
} as const
