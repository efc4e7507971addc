/** Table of accesses to personal data: one row per day, type of access and reader. */
export const personalAccesses = {
  tables: {
    personal_accesses: {
      project_id: "text not null",
      identity_id: "text not null",
      action: "text not null",
      reader: "text not null",
      day: "text not null",
      times: "integer not null",
      last_at: "integer not null",
      "primary key": "(project_id, identity_id, action, reader, day)"
    }
  },
  indices: ["create index personal_accesses_latest on personal_accesses (project_id, last_at)"]
} as const
