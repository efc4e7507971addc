import { Projects } from "@countersign/core/projects"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { withProjects } from "../environment/connect.ts"
import { Refused } from "../environment/errors.ts"
import { chosenProject, projectFlag } from "../environment/project.ts"
import { addressFlag } from "../input/address.ts"
import { within } from "../input/readAs.ts"
import { jsonFlag, print } from "../output/print.ts"
import { card } from "../output/table.ts"

export const update = Command.make(
  "update",
  {
    project: projectFlag,
    treasury: addressFlag("treasury").pipe(
      Flag.withDescription("Address that receives transactionFeePercent"),
      Flag.optional
    ),
    computeUnits: Flag.Int("compute-units").pipe(
      Flag.withDescription("Compute units that the project may spend from now on, besides what processes have leased"),
      within(0, Number.MAX_SAFE_INTEGER),
      Flag.optional
    ),
    unlimited: Flag.Boolean("unlimited").pipe(
      Flag.withDescription("No budget of compute units"),
      Flag.withDefault(false)
    ),
    json: jsonFlag
  },
  ({ computeUnits, json, project, treasury, unlimited }) =>
    withProjects(
      Effect.gen(function* () {
        if (unlimited && Option.isSome(computeUnits)) {
          return yield* new Refused({ reason: "A budget is either --compute-units or --unlimited." })
        }
        const { id } = yield* chosenProject(project)
        const updatedProject = yield* (yield* Projects).update(id, {
          ...(Option.isSome(treasury) ? { treasury: treasury.value } : {}),
          ...(Option.isSome(computeUnits) ? { computeUnits: computeUnits.value } : {}),
          ...(unlimited ? { computeUnits: null } : {})
        })
        yield* print(json, updatedProject, () =>
          card([
            ["id", updatedProject.id],
            ["name", updatedProject.name],
            ["treasury", updatedProject.treasury],
            ["compute units", updatedProject.computeUnits ?? "unlimited"]
          ])
        )
      })
    )
).pipe(
  Command.withDescription("Set a project's treasury or its budget of compute units"),
  Command.withExamples([
    {
      command: "countersign project update --project Shop --compute-units 100000",
      description: "A budget of 100 000 units"
    }
  ])
)
