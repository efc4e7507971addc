import { CustomerId, CustomerLinks } from "@countersign/core/fiat"
import { IndividualId } from "@countersign/core/identity"
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { withServices } from "../environment/connect.ts"
import { CommandRefused, NotFound } from "../environment/errors.ts"
import { projectFlag, resolveProject } from "../environment/project.ts"
import { readAs } from "../input/readAs.ts"
import { jsonFlag, print } from "../output/print.ts"
import { card } from "../output/table.ts"

const subjectFlags = {
  individual: Argument.String("individual-id").pipe(
    readAs(IndividualId),
    Argument.withDescription("Id of the individual, as in `individualId` of requests")
  ),
  provider: Flag.String("provider").pipe(Flag.withDescription("Fiat provider, such as `bridge`")),
  project: projectFlag,
  json: jsonFlag
}

const link = Command.make(
  "link",
  {
    ...subjectFlags,
    customer: Flag.String("customer").pipe(
      readAs(CustomerId),
      Flag.withDescription("Id of the customer at the provider")
    )
  },
  ({ customer, individual, json, project, provider }) =>
    withServices(
      Effect.gen(function* () {
        const { id: projectId } = yield* resolveProject(project)
        yield* (yield* CustomerLinks)
          .link(projectId, individual, { provider, customer })
          .pipe(Effect.mapError(({ message }) => new CommandRefused({ reason: message })))
        yield* print(json, { individualId: individual, provider, customer }, () =>
          card([
            ["individual", individual],
            ["provider", provider],
            ["customer", customer]
          ])
        )
      })
    )
).pipe(
  Command.withDescription("Link an individual to a customer of a fiat provider"),
  Command.withExamples([
    {
      command: "countersign identity link ind_7 --provider bridge --customer 3fa85f64-5717-4562-b3fc-2c963f66afa6",
      description: "Link an individual whom a session and Bridge have verified"
    }
  ])
)

const unlink = Command.make("unlink", subjectFlags, ({ individual, json, project, provider }) =>
  withServices(
    Effect.gen(function* () {
      const { id: projectId } = yield* resolveProject(project)
      if (!(yield* (yield* CustomerLinks).unlink(projectId, individual, provider))) {
        return yield* new NotFound({
          what: `The individual ${individual} is not linked to a customer of ${provider}.`,
          hint: "`countersign identity show SESSION-ID` and `countersign identity export` show links."
        })
      }
      yield* print(json, { individualId: individual, provider, customer: null }, () =>
        card([
          ["individual", individual],
          ["provider", provider],
          ["customer", "the customer whose id is the id of the individual, if it exists. Existing orders continue"]
        ])
      )
    })
  )
).pipe(Command.withDescription("Remove the link to a fiat provider's customer"))

export const identityCustomers = [link, unlink] as const
