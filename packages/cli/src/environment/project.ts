import { type Project, type ProjectMove, Projects } from "@countersign/core/tenancy/projects"
import { Effect, Option } from "effect"
import { Argument, Flag } from "effect/cli"
import { CommandRefused, NotFound } from "./errors.ts"
import { sandboxFileOrNull } from "./sandboxFile.ts"

export const projectFlag = Flag.String("project").pipe(
  Flag.withDescription("Id or name of the project; optional if there is only one project"),
  Flag.optional
)

export const projectArgument = Argument.String("project").pipe(
  Argument.withDescription("Id or name of the project, as `project list` shows it")
)

/** Finds a project by id or name. */
export const selectProject = <P extends Readonly<Record<"id" | "name", string>>>(
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

const reasonOf = ({ projectName, state, target }: ProjectMove): string => {
  switch (state) {
    case "MOVING":
      return `The project "${projectName}" is paused while it moves to ${target}. Wait until the move has ended, or run \`countersign project move ${projectName} --cancel\`.`
    case "MOVED":
      return `The project "${projectName}" was moved to ${target}. Run the command with the settings of that database.`
    case "ARRIVING":
      return `The project "${projectName}" is paused while it moves to this database. Run \`countersign project move\` on the other database again.`
  }
}

/**
 * Fails if the project is paused or was moved, because the other database would not get the changes of a command.
 * `allowedState` exempts one state of a move.
 */
const requireActive = Effect.fnUntraced(function* (project: Project, allowedState: ProjectMove["state"] | null = null) {
  const move = (yield* (yield* Projects).listMoves).find(({ projectId }) => projectId === project.id)
  return move === undefined || move.state === allowedState
    ? project
    : yield* new CommandRefused({ reason: reasonOf(move) })
})

/** Fails like `requireActive` for the project to which a key belongs. */
export const requireActiveKey = Effect.fnUntraced(function* (keyId: string) {
  const projects = yield* Projects
  for (const move of yield* projects.listMoves) {
    const keys = yield* projects.listKeys(move.projectId)
    if (keys.some(({ id }) => id === keyId)) return yield* new CommandRefused({ reason: reasonOf(move) })
  }
})

/** Finds a project by id or name. Fails like `requireActive`. */
export const findProject = Effect.fnUntraced(function* (
  nameOrId: string,
  allowedState: ProjectMove["state"] | null = null
) {
  return yield* requireActive(yield* selectProject(yield* (yield* Projects).list, nameOrId), allowedState)
})

/**
 * Returns the selected project, otherwise the sandbox's project, otherwise the only project. It may be paused or moved.
 */
export const findStoredProject = Effect.fnUntraced(function* (nameOrId: Option.Option<string>) {
  const projects = yield* (yield* Projects).list
  if (Option.isSome(nameOrId)) return yield* selectProject(projects, nameOrId.value)
  const file = yield* sandboxFileOrNull
  const sandboxProject = projects.find(({ id }) => id === file?.project.id)
  const [onlyProject] = projects
  if (sandboxProject !== undefined) return sandboxProject
  if (onlyProject !== undefined && projects.length === 1) return onlyProject
  return yield* new NotFound({
    what: projects.length === 0 ? "There is no project." : "There are several projects.",
    hint: projects.length === 0 ? "Create one with `countersign project create NAME`." : "Select one with --project."
  })
})

/** Returns the same project as `findStoredProject`, but fails like `requireActive`. */
export const resolveProject = (nameOrId: Option.Option<string>) =>
  Effect.flatMap(findStoredProject(nameOrId), (project) => requireActive(project))
