import { FiatDirection, FiatLimits, FiatMethod } from "@countersign/core/fiat"
import { IndividualId } from "@countersign/core/identity"
import { Effect, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { withServices } from "../environment/connect.ts"
import { projectFlag, resolveProject } from "../environment/project.ts"
import { readAs } from "../input/readAs.ts"
import { jsonFlag, print } from "../output/print.ts"
import { card } from "../output/table.ts"

const individual = Argument.String("individual-id").pipe(
  readAs(IndividualId),
  Argument.withDescription("Id of the individual, as in `individualId` of requests")
)
const subjectFlags = {
  individual,
  direction: Flag.Literals("direction", FiatDirection.literals).pipe(
    Flag.withDescription("Whether the limits apply to deposits or withdrawals")
  ),
  method: Flag.Literals("method", FiatMethod.literals).pipe(Flag.withDescription("Payment method")),
  project: projectFlag,
  json: jsonFlag
}

const WholeUnits = Schema.BigIntFromString.check(
  Schema.makeFilter((units: bigint) => (units >= 0n ? undefined : "Expected zero or more"))
)

const limitFlag = (name: string, period: string) =>
  Flag.String(name).pipe(
    Flag.withDescription(`Maximum ${period}, as an integer amount of the currency`),
    readAs(WholeUnits)
  )

const set = Command.make(
  "set",
  {
    ...subjectFlags,
    perTransaction: limitFlag("per-transaction", "per transaction"),
    daily: limitFlag("daily", "per day"),
    monthly: limitFlag("monthly", "per month"),
    quarterly: limitFlag("quarterly", "per quarter")
  },
  ({ daily, direction, individual, json, method, monthly, perTransaction, project, quarterly }) =>
    withServices(
      Effect.gen(function* () {
        const { id: projectId } = yield* resolveProject(project)
        const amounts = { perTransaction, daily, monthly, quarterly }
        yield* (yield* FiatLimits).override({ projectId, individualId: individual, direction, method }, amounts)
        const result = {
          individualId: individual,
          direction,
          method,
          perTransaction: String(perTransaction),
          daily: String(daily),
          monthly: String(monthly),
          quarterly: String(quarterly)
        }
        yield* print(json, result, () =>
          card([
            ["individual", individual],
            ["of", `${method} ${direction.toLowerCase()}s`],
            ["transaction", result.perTransaction],
            ["day", result.daily],
            ["month", result.monthly],
            ["quarter", result.quarterly]
          ])
        )
      })
    )
).pipe(Command.withDescription("Set limits for one identity, which replace the limits of FIAT_LIMITS"))

const reset = Command.make("reset", subjectFlags, ({ direction, individual, json, method, project }) =>
  withServices(
    Effect.gen(function* () {
      const { id: projectId } = yield* resolveProject(project)
      yield* (yield* FiatLimits).override({ projectId, individualId: individual, direction, method }, null)
      yield* print(json, { individualId: individual, direction, method }, () =>
        card([
          ["individual", individual],
          ["of", `${method} ${direction.toLowerCase()}s`],
          ["limits", "the limits of FIAT_LIMITS for its level"]
        ])
      )
    })
  )
).pipe(Command.withDescription("Reset the limits of one identity to the limits of FIAT_LIMITS"))

export const identityLimits = Command.make("limits").pipe(
  Command.withDescription("Set or reset the fiat limits of one identity"),
  Command.withSubcommands([set, reset])
)
