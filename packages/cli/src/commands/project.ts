import { type ProjectMove, Projects } from "@countersign/core/tenancy/projects"
import { DateTime, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { withProjects } from "../environment/connect.ts"
import { CommandRefused } from "../environment/errors.ts"
import { findProject, projectArgument, projectFlag, resolveProject } from "../environment/project.ts"
import { addressFlag, bitcoinAddressFlag } from "../input/address.ts"
import { projectNameArgument } from "../input/projectName.ts"
import { requireWithin } from "../input/readAs.ts"
import { jsonFlag, print } from "../output/print.ts"
import { card, tableOrHint } from "../output/table.ts"
import { move } from "./projectMove.ts"

const update = Command.make(
  "update",
  {
    project: projectFlag,
    treasury: addressFlag("treasury").pipe(
      Flag.withDescription("Address that receives transactionFeePercent"),
      Flag.optional
    ),
    bitcoinTreasury: bitcoinAddressFlag("bitcoin-treasury").pipe(
      Flag.withDescription("Bitcoin address that receives transactionFeePercent of Bitcoin transactions"),
      Flag.optional
    ),
    computeUnits: Flag.Int("compute-units").pipe(
      Flag.withDescription(
        "Number of compute units that the project may spend from now on, in addition to units that processes have already reserved"
      ),
      requireWithin(0, Number.MAX_SAFE_INTEGER),
      Flag.optional
    ),
    unlimited: Flag.Boolean("unlimited").pipe(
      Flag.withDescription("Remove the limit of compute units"),
      Flag.withDefault(false)
    ),
    json: jsonFlag
  },
  ({ bitcoinTreasury, computeUnits, json, project, treasury, unlimited }) =>
    withProjects(
      Effect.gen(function* () {
        if (unlimited && Option.isSome(computeUnits)) {
          return yield* new CommandRefused({ reason: "Use either --compute-units or --unlimited, not both." })
        }
        const { id } = yield* resolveProject(project)
        const updatedProject = yield* (yield* Projects).update(id, {
          ...(Option.isSome(treasury) ? { treasury: treasury.value } : {}),
          ...(Option.isSome(bitcoinTreasury) ? { bitcoinTreasury: bitcoinTreasury.value } : {}),
          ...(Option.isSome(computeUnits) ? { computeUnits: computeUnits.value } : {}),
          ...(unlimited ? { computeUnits: null } : {})
        })
        yield* print(json, updatedProject, () =>
          card([
            ["id", updatedProject.id],
            ["name", updatedProject.name],
            ["treasury", updatedProject.treasury],
            ["treasury on Bitcoin", updatedProject.bitcoinTreasury],
            ["compute units", updatedProject.computeUnits ?? "unlimited"]
          ])
        )
      })
    )
).pipe(
  Command.withDescription("Set a project's treasuries or its compute unit budget"),
  Command.withExamples([
    {
      command: "countersign project update --project Shop --compute-units 100000",
      description: "Set a budget of 100,000 compute units"
    }
  ])
)

const remove = Command.make(
  "delete",
  {
    project: projectArgument,
    yes: Flag.Boolean("yes").pipe(
      Flag.withAlias("y"),
      Flag.withDescription("Delete without a confirmation"),
      Flag.withDefault(false)
    ),
    json: jsonFlag
  },
  ({ json, project, yes }) =>
    withProjects(
      Effect.gen(function* () {
        const projects = yield* Projects
        // Allows an active project, and the copy of a move that was restarted with another target database.
        const { id, name } = yield* findProject(project, "ARRIVING")
        const activeKeys = (yield* projects.listKeys(id)).filter(({ revokedAt }) => revokedAt === null)
        if (!yes) {
          return yield* new CommandRefused({
            reason: `This revokes ${activeKeys.length} keys of "${name}" and deletes its webhooks and its schedules of tax exports permanently. Add --yes to continue.`
          })
        }
        yield* projects.remove(id)
        yield* print(
          json,
          { id, name, deleted: true },
          () =>
            `The project "${name}" is deleted with its keys, webhooks and schedules of tax exports. Its pending operations continue until they end.`
        )
      })
    )
).pipe(
  Command.withDescription(
    "Delete a project with its keys, webhooks and schedules of tax exports; its history stays in the database"
  ),
  Command.withExamples([
    { command: "countersign project delete Shop --yes", description: "Delete a project without a confirmation" }
  ])
)

const rename = Command.make(
  "rename",
  { project: projectArgument, name: projectNameArgument("name"), json: jsonFlag },
  ({ json, name, project }) =>
    withProjects(
      Effect.gen(function* () {
        const projectBefore = yield* findProject(project)
        const renamedProject = yield* (yield* Projects).rename(projectBefore.id, name)
        yield* print(
          json,
          renamedProject,
          () => `The project "${projectBefore.name}" is now named "${renamedProject.name}".`
        )
      })
    )
).pipe(
  Command.withDescription("Rename a project"),
  Command.withExamples([{ command: "countersign project rename Shop Market", description: "Rename Shop to Market" }])
)

const create = Command.make(
  "create",
  {
    name: projectNameArgument("name"),
    treasury: addressFlag("treasury").pipe(
      Flag.withDescription("Address that receives transactionFeePercent. Without it the service charges no such fee"),
      Flag.optional
    ),
    bitcoinTreasury: bitcoinAddressFlag("bitcoin-treasury").pipe(
      Flag.withDescription("Bitcoin address that receives transactionFeePercent of Bitcoin transactions"),
      Flag.optional
    ),
    json: jsonFlag
  },
  ({ bitcoinTreasury, json, name, treasury }) =>
    withProjects(
      Effect.gen(function* () {
        const project = yield* (yield* Projects).create(
          name,
          Option.getOrNull(treasury),
          Option.getOrNull(bitcoinTreasury)
        )
        yield* print(json, project, () =>
          card([
            ["id", project.id],
            ["name", project.name],
            ["treasury", project.treasury],
            ["treasury on Bitcoin", project.bitcoinTreasury],
            ["next", `countersign key create --project ${project.id} --name first`]
          ])
        )
      })
    )
).pipe(
  Command.withDescription("Create a project"),
  Command.withExamples([
    { command: "countersign project create Shop --treasury 0x…", description: "Create a project whose fees go to 0x…" }
  ])
)

const moveText = ({ state, target }: ProjectMove): string => {
  switch (state) {
    case "MOVING":
      return `paused: moving to ${target}`
    case "MOVED":
      return `moved to ${target}`
    case "ARRIVING":
      return "paused: moving to this database"
  }
}

const list = Command.make("list", { json: jsonFlag }, ({ json }) =>
  withProjects(
    Effect.gen(function* () {
      const projects = yield* Projects
      const moves = new Map((yield* projects.listMoves).map((projectMove) => [projectMove.projectId, projectMove]))
      const listedProjects = (yield* projects.list).map((one) => ({ ...one, move: moves.get(one.id) ?? null }))
      yield* print(json, listedProjects, () =>
        tableOrHint(
          ["ID", "NAME", "STATE", "TREASURY", "CREATED"],
          listedProjects.map(({ createdAt, id, move: projectMove, name, treasury }) => [
            id,
            name,
            projectMove === null ? "active" : moveText(projectMove),
            treasury,
            DateTime.formatIso(createdAt)
          ]),
          "There is no project yet. Create one with `countersign project create NAME`."
        )
      )
    })
  )
).pipe(Command.withDescription("List the projects"))

export const project = Command.make("project").pipe(
  Command.withSubcommands([create, list, update, rename, move, remove])
)
