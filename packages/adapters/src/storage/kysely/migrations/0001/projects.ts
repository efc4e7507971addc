/** Tables of projects with their keys and counters, and of responses for repeated requests. */
export const projects = {
  tables: {
    projects: {
      id: "text primary key",
      organization_id: "text not null",
      name: "text not null",
      treasury: "text",
      compute_units: "integer",
      created_at: "integer not null",
      deleted_at: "integer"
    },
    api_keys: {
      id: "text primary key",
      project_id: "text not null references projects (id)",
      name: "text not null",
      environment: "text not null",
      hash: "text not null",
      scopes: "text not null",
      created_at: "integer not null",
      expires_at: "integer",
      revoked_at: "integer",
      last_used_at: "integer"
    },
    rate_counts: {
      key_id: "text not null",
      window_start: "integer not null",
      requests: "integer not null",
      "primary key": "(key_id, window_start)"
    },
    idempotent_requests: {
      project_id: "text not null",
      idempotency_key: "text not null",
      fingerprint: "text not null",
      answer: "text",
      scope: "text",
      locked_until: "integer not null",
      created_at: "integer not null",
      "primary key": "(project_id, idempotency_key)"
    }
  },
  indices: [
    "create index projects_oldest on projects (created_at, id)",
    "create unique index projects_name on projects (name) where deleted_at is null",
    "create index api_keys_oldest on api_keys (project_id, created_at, id)",
    "create index rate_counts_old on rate_counts (window_start)",
    "create index idempotent_requests_old on idempotent_requests (created_at)"
  ]
} as const
