import { Projects } from "@countersign/core/tenancy/projects"
import { Effect, Option } from "effect"
import { Argument, Flag } from "effect/cli"
import { NotFound } from "./errors.ts"
import { sandboxFileOrNull } from "./sandboxFile.ts"

export const projectFlag = Flag.String("project").pipe(
  Flag.withDescription("Id or name of the project; optional if there is only one"),
  Flag.optional
)

export const projectArgument = Argument.String("project").pipe(
  Argument.withDescription("Id or name of the project, as `project list` shows it")
)

/** The project in this list with this id or name. */
export const projectAmong = <P extends Readonly<Record<"id" | "name", string>>>(
  projects: ReadonlyArray<P>,
  nameOrId: string
): Effect.Effect<P, NotFound> => {
  const project = projects.find(({ id, name }) => id === nameOrId || name === nameOrId)
  return project === undefined
    ? Effect.fail(
        new NotFound({
          what: `There is no project "${nameOrId}".`,
          hint: "`countersign project list` shows all projects."
        })
      )
    : Effect.succeed(project)
}

/** The project with this id or name. */
export const namedProject = Effect.fnUntraced(function* (nameOrId: string) {
  return yield* projectAmong(yield* (yield* Projects).list, nameOrId)
})

/** The selected project, otherwise the sandbox's own, otherwise the only one. */
export const chosenProject = Effect.fnUntraced(function* (nameOrId: Option.Option<string>) {
  if (Option.isSome(nameOrId)) return yield* namedProject(nameOrId.value)
  const projects = yield* (yield* Projects).list
  const file = yield* sandboxFileOrNull
  const sandboxProject = projects.find(({ id }) => id === file?.project.id)
  const [only] = projects
  if (sandboxProject !== undefined) return sandboxProject
  if (only !== undefined && projects.length === 1) return only
  return yield* new NotFound({
    what: projects.length === 0 ? "There is no project." : "There are several projects.",
    hint: projects.length === 0 ? "Create one with `countersign project create NAME`." : "Select one with --project."
  })
})
