/** Table of verified individuals. Their personal data are not stored. */
export const identity = {
  tables: {
    verified_individuals: {
      project_id: "text not null",
      id: "text not null",
      verified_at: "integer not null",
      "primary key": "(project_id, id)"
    }
  },
  indices: []
} as const
