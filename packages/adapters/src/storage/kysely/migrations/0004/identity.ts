/** Individuals whose identity is verified. Of them only an id is kept. */
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
