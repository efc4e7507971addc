/** Projects that are being moved to another database, or were moved. They are paused. */
export const projectMoves = {
  tables: {
    project_moves: {
      project_id: "text primary key",
      /** MOVING or MOVED in the database that the project leaves, ARRIVING in the other one. */
      state: "text not null",
      /** Host and name of the other database; null while it is ARRIVING. */
      target: "text"
    }
  },
  indices: []
} as const
