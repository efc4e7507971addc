import { IndividualId, VerifiedIndividuals } from "@countersign/core/identity"
import { DateTime, Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { withServices } from "../environment/connect.ts"
import { NotFound, Refused } from "../environment/errors.ts"
import { chosenProject, projectFlag } from "../environment/project.ts"
import { readAs } from "../input/readAs.ts"
import { jsonFlag, print } from "../output/print.ts"
import { card, tableOrHint } from "../output/table.ts"

const individual = Argument.String("individual-id").pipe(
  readAs(IndividualId),
  Argument.withDescription("Id of the individual, as requests give it in `individualId`")
)
const flags = { individual, project: projectFlag, json: jsonFlag }

const verify = Command.make("verify", flags, ({ individual, json, project }) =>
  withServices(
    Effect.gen(function* () {
      const { id } = yield* chosenProject(project)
      const verifiedAt = yield* DateTime.now
      if (!(yield* (yield* VerifiedIndividuals).verify(id, { id: individual, verifiedAt }))) {
        return yield* new Refused({
          reason: `The individual ${individual} is verified already. \`countersign identity list\` shows since when.`
        })
      }
      const answer = { individualId: individual, verifiedAt: DateTime.formatIso(verifiedAt) }
      yield* print(json, answer, () =>
        card([
          ["individual", individual],
          ["verified", answer.verifiedAt],
          ["opens", "swaps of tokens of real-world assets that name this individualId"]
        ])
      )
    })
  )
).pipe(Command.withDescription("Say that the identity of an individual is verified"))

const revoke = Command.make("revoke", flags, ({ individual, json, project }) =>
  withServices(
    Effect.gen(function* () {
      const { id } = yield* chosenProject(project)
      if (!(yield* (yield* VerifiedIndividuals).revoke(id, individual))) {
        return yield* new NotFound({
          what: `The individual ${individual} is not verified.`,
          hint: "`countersign identity list` shows those who are."
        })
      }
      yield* print(json, { individualId: individual, verifiedAt: null }, () =>
        card([
          ["individual", individual],
          ["verified", "no longer. Quotes that were given before stay valid until they expire"]
        ])
      )
    })
  )
).pipe(Command.withDescription("Take a verification back"))

const list = Command.make("list", { project: projectFlag, json: jsonFlag }, ({ json, project }) =>
  withServices(
    Effect.gen(function* () {
      const { id } = yield* chosenProject(project)
      const individuals = (yield* (yield* VerifiedIndividuals).list(id)).map(({ id, verifiedAt }) => ({
        individualId: id,
        verifiedAt: DateTime.formatIso(verifiedAt)
      }))
      yield* print(json, { individuals }, () =>
        tableOrHint(
          ["INDIVIDUAL", "VERIFIED"],
          individuals.map(({ individualId, verifiedAt }) => [individualId, verifiedAt]),
          "The project has no verified individual. Verify one with `countersign identity verify INDIVIDUAL-ID`."
        )
      )
    })
  )
).pipe(Command.withDescription("List the verified individuals of a project"))

/** `countersign identity`: whose identity is verified. */
export const identity = Command.make("identity").pipe(
  Command.withDescription("Individuals whose identity is verified"),
  Command.withSubcommands([verify, revoke, list])
)
