/** Tables of schedules of tax exports, and of their runs, one per month. */
export const taxExports = {
  tables: {
    tax_schedules: {
      id: "text primary key",
      project_id: "text not null",
      wallet_address: "text not null",
      recurrence_preset: "text not null",
      /** Email address (personal data). */
      email: "text not null",
      individual: "text not null",
      email_customization: "text not null",
      timezone: "text not null",
      created_at: "integer not null",
      /** End of the first month without a run. */
      next_end_at: "integer not null"
    },
    tax_runs: {
      id: "text primary key",
      schedule_id: "text not null references tax_schedules (id) on delete cascade",
      project_id: "text not null",
      wallet_address: "text not null",
      month: "text not null",
      timezone: "text not null",
      status: "text not null",
      attempts: "integer not null",
      /** Null once the run has ended. */
      due_at: "integer",
      claimed_by: "text",
      claimed_until: "integer",
      last_error: "text",
      created_at: "integer not null",
      ended_at: "integer"
    }
  },
  indices: [
    "create unique index tax_schedules_wallet on tax_schedules (project_id, wallet_address, recurrence_preset)",
    "create index tax_schedules_due on tax_schedules (next_end_at, id)",
    "create unique index tax_runs_month on tax_runs (schedule_id, month)",
    "create index tax_runs_due on tax_runs (due_at, id) where due_at is not null",
    "create index tax_runs_failed on tax_runs (ended_at, id) where status = 'FAILED'"
  ]
} as const
