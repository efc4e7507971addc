import { DocumentFiles } from "@countersign/adapters/identity"
import {
  type Decision,
  IndividualId,
  PersonalDataReader,
  type VerificationSession,
  Verifications,
  VerifiedIndividuals
} from "@countersign/core/identity"
import { DateTime, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { withServices } from "../environment/connect.ts"
import { NotFound, Refused } from "../environment/errors.ts"
import { chosenProject, projectFlag } from "../environment/project.ts"
import { readAs } from "../input/readAs.ts"
import { writeDocuments } from "../output/documents.ts"
import { jsonFlag, print } from "../output/print.ts"
import { card, tableOrHint } from "../output/table.ts"
import { identityData } from "./identityData.ts"
import { identityLimits } from "./identityLimits.ts"

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

const sessionLine = ({ createdAt, id, identityId, kind, reason, status }: VerificationSession) => ({
  sessionId: id,
  kind,
  identityId,
  status,
  reason,
  createdAt: DateTime.formatIso(createdAt)
})

const list = Command.make("list", { project: projectFlag, json: jsonFlag }, ({ json, project }) =>
  withServices(
    Effect.gen(function* () {
      const { id } = yield* chosenProject(project)
      const individuals = (yield* (yield* VerifiedIndividuals).list(id)).map(({ id, verifiedAt }) => ({
        individualId: id,
        verifiedAt: DateTime.formatIso(verifiedAt)
      }))
      const sessions = (yield* (yield* Verifications).list(id, null)).map(sessionLine)
      yield* print(json, { individuals, sessions }, () =>
        [
          tableOrHint(
            ["INDIVIDUAL", "VERIFIED"],
            individuals.map(({ individualId, verifiedAt }) => [individualId, verifiedAt]),
            "The project has no verified individual. Verify one with `countersign identity verify INDIVIDUAL-ID`."
          ),
          ...(sessions.length === 0
            ? []
            : [
                tableOrHint(
                  ["SESSION", "KIND", "STATUS", "STARTED"],
                  sessions.map(({ createdAt, kind, sessionId, status }) => [sessionId, kind, status, createdAt]),
                  ""
                )
              ])
        ].join("\n\n")
      )
    })
  )
).pipe(Command.withDescription("List a project's verified individuals, and its verification sessions"))

const session = Argument.String("session-id").pipe(Argument.withDescription("Id of the verification session"))
const sessionFlags = { session, project: projectFlag, json: jsonFlag }

const requireSession = Effect.fnUntraced(function* (project: Option.Option<string>, sessionId: string) {
  const { id } = yield* chosenProject(project)
  const found = (yield* (yield* Verifications).list(id, null)).find((one) => one.id === sessionId)
  if (found !== undefined) return { projectId: id, session: found }
  return yield* new NotFound({
    what: `The project has no verification session ${sessionId}.`,
    hint: "`countersign identity list` shows those that it has."
  })
})

const decided = (project: Option.Option<string>, sessionId: string, json: boolean, decision: Decision) =>
  withServices(
    Effect.gen(function* () {
      const { projectId } = yield* requireSession(project, sessionId)
      const after = sessionLine(
        yield* (yield* Verifications)
          .decide(projectId, sessionId, decision)
          .pipe(Effect.mapError(({ message }) => new Refused({ reason: message })))
      )
      yield* print(json, after, () =>
        card([
          ["session", after.sessionId],
          ["status", after.status],
          [after.kind, after.identityId]
        ])
      )
    })
  )

const approve = Command.make("approve", sessionFlags, ({ json, project, session }) =>
  decided(project, session, json, { _tag: "Approve" })
).pipe(Command.withDescription("Say that the documents of a session prove the identity"))

const reject = Command.make(
  "reject",
  { ...sessionFlags, reason: Flag.String("reason").pipe(Flag.withDescription("Why, as its client is told")) },
  ({ json, project, reason, session }) => decided(project, session, json, { _tag: "Reject", reason })
).pipe(Command.withDescription("Refuse a session"))

const show = Command.make(
  "show",
  {
    ...sessionFlags,
    documents: Flag.String("documents").pipe(
      Flag.withDescription("A folder that the documents are written into, opened"),
      Flag.optional
    )
  },
  ({ documents: folder, json, project, session: sessionId }) =>
    withServices(
      Effect.gen(function* () {
        const { projectId, session } = yield* requireSession(project, sessionId)
        const { personal } = yield* (yield* Verifications)
          .find(projectId, session.kind, sessionId)
          .pipe(Effect.provideService(PersonalDataReader, "operator"))
        const files = yield* DocumentFiles
        const documents = yield* writeDocuments(files, session, Option.getOrNull(folder))
        yield* print(json, { ...sessionLine(session), personal, documents }, () =>
          [
            card([
              ["session", session.id],
              ["status", session.status],
              [session.kind, session.identityId],
              ...Object.entries(personal ?? {})
                .filter(([name, value]) => name !== "_tag" && typeof value === "string")
                .map(([name, value]) => [name, String(value)] as const)
            ]),
            tableOrHint(
              ["DOCUMENT", "OWNER", "BYTES", "WRITTEN TO"],
              documents.map(({ bytes, ownerId, path, type }) => [
                type,
                ownerId ?? "",
                bytes === null ? "not uploaded" : String(bytes),
                path ?? ""
              ]),
              ""
            )
          ].join("\n\n")
        )
      })
    )
).pipe(Command.withDescription("Show what a session tells of a person or business, and its documents"))

/** `countersign identity`: whose identity is verified. */
export const identity = Command.make("identity").pipe(
  Command.withDescription("Who people and businesses are: sessions to review, and who is verified"),
  Command.withSubcommands([verify, revoke, list, show, approve, reject, ...identityData, identityLimits])
)
