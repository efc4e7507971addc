/** Table of projects that are being moved to another database, or were moved. They are paused. */
export const projectMoves = {
  tables: {
    project_moves: {
      project_id: "text primary key",
      /** MOVING or MOVED in the source database, ARRIVING in the target database. */
      state: "text not null",
      /** Host and name of the target database; null while the project is ARRIVING. */
      target: "text"
    }
  },
  indices: []
} as const
