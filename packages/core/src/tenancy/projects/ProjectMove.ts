import { Schema } from "effect"
import { ProjectId } from "./Project.ts"

/**
 * A move of a project to another database. Until the move ends, the project is paused in both databases, except for
 * executions that need the operator accounts of the database that it leaves.
 */
export const ProjectMove = Schema.Struct({
  projectId: ProjectId,
  projectName: Schema.String,
  /** MOVING or MOVED in the database that the project leaves, ARRIVING in the other database. */
  state: Schema.Literals(["MOVING", "MOVED", "ARRIVING"]),
  /** Host and name of the other database. Null while the project is ARRIVING. */
  target: Schema.NullOr(Schema.String)
})
export type ProjectMove = typeof ProjectMove.Type
