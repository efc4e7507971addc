import { Projects } from "@countersign/core/projects"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { withProjects } from "../environment/connect.ts"
import { Refused } from "../environment/errors.ts"
import { namedProject, projectArgument } from "../environment/project.ts"
import { jsonFlag, print } from "../output/print.ts"

export const remove = Command.make(
  "delete",
  {
    project: projectArgument,
    yes: Flag.Boolean("yes").pipe(Flag.withAlias("y"), Flag.withDescription("Really"), Flag.withDefault(false)),
    json: jsonFlag
  },
  ({ json, project, yes }) =>
    withProjects(
      Effect.gen(function* () {
        const projects = yield* Projects
        const { id, name } = yield* namedProject(project)
        const usable = (yield* projects.listKeys(id)).filter(({ revokedAt }) => revokedAt === null)
        if (!yes) {
          return yield* new Refused({
            reason: `This revokes ${usable.length} keys of "${name}" and removes its webhooks, for good. Say --yes to go on.`
          })
        }
        yield* projects.remove(id)
        yield* print(
          json,
          { id, name, deleted: true },
          () =>
            `The project "${name}" is deleted with its keys and webhooks. What it has under way still goes to its end.`
        )
      })
    )
).pipe(
  Command.withDescription("Delete a project with its keys and webhooks; what it did stays in the database"),
  Command.withExamples([{ command: "countersign project delete Shop --yes", description: "Without asking again" }])
)
