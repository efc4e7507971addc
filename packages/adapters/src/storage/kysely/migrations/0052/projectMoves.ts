import type { ColumnTypes } from "../Migration.ts"

/** The move of a project to another database. Few projects are in the index. */
export const projectMoves = ({ text }: Pick<ColumnTypes, "text">): ReadonlyArray<string> => [
  `alter table projects add column move_state ${text}`,
  `alter table projects add column moved_to ${text}`,
  "create index projects_moving on projects (id, move_state) where move_state is not null"
]

export interface MoveColumns {
  /** MOVING or MOVED in the database that the project leaves, ARRIVING in the other one; null while it is active. */
  move_state: string | null
  /** Host and name of the other database. */
  moved_to: string | null
}
