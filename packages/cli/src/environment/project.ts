import { Projects } from "@countersign/core/projects"
import { Effect, Option } from "effect"
import { Flag } from "effect/cli"
import { sandboxFileOrNull } from "./connect.ts"
import { NotFound } from "./errors.ts"

export const projectFlag = Flag.String("project").pipe(
  Flag.withDescription("Id or name of the project; where there is only one, it need not be named"),
  Flag.optional
)

/** The project named; else the sandbox's own; else the only one. */
export const chosenProject = Effect.fnUntraced(function* (nameOrId: Option.Option<string>) {
  const projects = yield* (yield* Projects).list
  if (Option.isSome(nameOrId)) {
    const matches = projects.filter(({ id, name }) => id === nameOrId.value || name === nameOrId.value)
    const [project] = matches
    if (project !== undefined && matches.length === 1) return project
    return yield* new NotFound({
      what:
        matches.length === 0
          ? `There is no project "${nameOrId.value}".`
          : `Several projects are named "${nameOrId.value}".`,
      hint:
        matches.length === 0
          ? "`countersign project list` names them."
          : "Name one by its id: `countersign project list`."
    })
  }
  const file = yield* sandboxFileOrNull
  const ofSandbox = projects.find(({ id }) => id === file?.project.id)
  const [only] = projects
  if (ofSandbox !== undefined) return ofSandbox
  if (only !== undefined && projects.length === 1) return only
  return yield* new NotFound({
    what: projects.length === 0 ? "There is no project yet." : "There are several projects.",
    hint: projects.length === 0 ? "Make one with `countersign project create NAME`." : "Name one with --project."
  })
})
