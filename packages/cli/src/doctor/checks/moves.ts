import type { ProjectMove } from "@countersign/core/tenancy/projects"
import { type Finding, ok, waiting } from "../Finding.ts"
import type { CheckResult } from "../Observed.ts"

const moveFinding = ({ projectName, state, target }: ProjectMove): Finding => {
  const subject = `project ${projectName}`
  if (state === "MOVED") return ok(subject, `moved to ${target}; its requests to this database get 503`)
  if (state === "MOVING") {
    return waiting(subject, `is paused while it moves to ${target}`, {
      waitsFor: "`countersign project move`",
      since: null,
      byItself: "Its pending operations become final. Requests get 503 with Retry-After.",
      whatToDo: `If the command does not run, run it again, or resume the project in this database: countersign project move "${projectName}" --cancel`
    })
  }
  return waiting(subject, "is paused while it moves to this database", {
    waitsFor: "`countersign project move` on the other database",
    since: null,
    byItself: "The command resumes the project in this database after it has compared both databases.",
    whatToDo: "If the command does not run, run it again with the settings of the other database."
  })
}

/** Reports projects that are moving to or from another database. Empty if there are none. */
export const diagnoseMoves = (moves: CheckResult<ReadonlyArray<ProjectMove>>): ReadonlyArray<Finding> =>
  // The database finding already reports a failing database.
  moves._tag === "Unseen" ? [] : moves.value.map(moveFinding)
