import { Projects } from "@countersign/core/projects"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { withProjects } from "../environment/connect.ts"
import { namedProject, projectArgument } from "../environment/project.ts"
import { projectNameArgument } from "../input/projectName.ts"
import { jsonFlag, print } from "../output/print.ts"

export const rename = Command.make(
  "rename",
  { project: projectArgument, name: projectNameArgument("name"), json: jsonFlag },
  ({ json, name, project }) =>
    withProjects(
      Effect.gen(function* () {
        const before = yield* namedProject(project)
        const renamed = yield* (yield* Projects).rename(before.id, name)
        yield* print(json, renamed, () => `The project "${before.name}" is named "${renamed.name}" now.`)
      })
    )
).pipe(
  Command.withDescription("Give a project another name"),
  Command.withExamples([
    { command: "countersign project rename Shop Market", description: "Shop is Market from now on" }
  ])
)
