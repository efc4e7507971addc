import { Projects } from "@countersign/core/projects"
import { DateTime, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { withProjects } from "../environment/connect.ts"
import { addressFlag } from "../input/address.ts"
import { projectNameArgument } from "../input/projectName.ts"
import { jsonFlag, print } from "../output/print.ts"
import { card, tableOrHint } from "../output/table.ts"
import { remove } from "./projectDelete.ts"
import { rename } from "./projectRename.ts"
import { update } from "./projectUpdate.ts"

const create = Command.make(
  "create",
  {
    name: projectNameArgument("name"),
    treasury: addressFlag("treasury").pipe(
      Flag.withDescription("Address that receives transactionFeePercent; without it no such fee is taken"),
      Flag.optional
    ),
    json: jsonFlag
  },
  ({ json, name, treasury }) =>
    withProjects(
      Effect.gen(function* () {
        const project = yield* (yield* Projects).create(name, Option.getOrNull(treasury))
        yield* print(json, project, () =>
          card([
            ["id", project.id],
            ["name", project.name],
            ["treasury", project.treasury],
            ["next", `countersign key create --project ${project.id} --name first`]
          ])
        )
      })
    )
).pipe(
  Command.withDescription("Make a project"),
  Command.withExamples([
    { command: "countersign project create Shop --treasury 0x…", description: "A project whose fees go to 0x…" }
  ])
)

const list = Command.make("list", { json: jsonFlag }, ({ json }) =>
  withProjects(
    Effect.gen(function* () {
      const projects = yield* (yield* Projects).list
      yield* print(json, projects, () =>
        tableOrHint(
          ["ID", "NAME", "TREASURY", "CREATED"],
          projects.map(({ createdAt, id, name, treasury }) => [id, name, treasury, DateTime.formatIso(createdAt)]),
          "There is no project yet. Make one with `countersign project create NAME`."
        )
      )
    })
  )
).pipe(Command.withDescription("List the projects"))

export const project = Command.make("project").pipe(Command.withSubcommands([create, list, update, rename, remove]))
