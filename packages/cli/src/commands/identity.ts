import { DocumentFiles } from "@countersign/adapters/identity"
import { CustomerLinks } from "@countersign/core/fiat"
import {
  type Decision,
  IndividualId,
  isOver,
  type PersonalData,
  PersonalDataReader,
  VerificationLevel,
  type VerificationSession,
  Verifications,
  VerifiedIndividuals
} from "@countersign/core/identity"
import { DateTime, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { withServices } from "../environment/connect.ts"
import { CommandRefused, NotFound } from "../environment/errors.ts"
import { projectFlag, resolveProject } from "../environment/project.ts"
import { readAs } from "../input/readAs.ts"
import { writeDocuments } from "../output/documents.ts"
import { jsonFlag, print } from "../output/print.ts"
import { card, tableOrHint } from "../output/table.ts"
import { identityCustomers } from "./identityCustomers.ts"
import { identityData } from "./identityData.ts"
import { identityLimits } from "./identityLimits.ts"

const individual = Argument.String("individual-id").pipe(
  readAs(IndividualId),
  Argument.withDescription("Id of the individual, as in `individualId` of requests")
)
const flags = { individual, project: projectFlag, json: jsonFlag }

const level = Flag.Literals("level", VerificationLevel.literals).pipe(
  Flag.withDescription("Verification level, which selects the limits in FIAT_LIMITS"),
  Flag.withDefault("BASIC" as const)
)

const verify = Command.make("verify", { ...flags, level }, ({ individual, json, level: levelOption, project }) =>
  withServices(
    Effect.gen(function* () {
      const { id } = yield* resolveProject(project)
      const verifiedAt = yield* DateTime.now
      const individuals = yield* VerifiedIndividuals
      const levelBefore = yield* individuals.levelOf(id, individual)
      const isNew = yield* individuals.verify(id, { id: individual, verifiedAt, level: levelOption })
      if (!isNew && levelBefore === (yield* individuals.levelOf(id, individual))) {
        return yield* new CommandRefused({
          reason: `The individual ${individual} is already verified. \`countersign identity list\` shows the time of the verification.`
        })
      }
      const result = { individualId: individual, verifiedAt: DateTime.formatIso(verifiedAt), level: levelOption }
      yield* print(json, result, () =>
        card([
          ["individual", individual],
          ["verified", result.verifiedAt],
          ["level", levelOption],
          ["allows", "swaps of real-world assets with this individualId"]
        ])
      )
    })
  )
).pipe(Command.withDescription("Record that an individual's identity is verified"))

const revoke = Command.make("revoke", flags, ({ individual, json, project }) =>
  withServices(
    Effect.gen(function* () {
      const { id } = yield* resolveProject(project)
      if (!(yield* (yield* VerifiedIndividuals).revoke(id, individual))) {
        return yield* new NotFound({
          what: `The individual ${individual} is not verified.`,
          hint: "`countersign identity list` shows the verified individuals."
        })
      }
      yield* print(json, { individualId: individual, verifiedAt: null }, () =>
        card([
          ["individual", individual],
          ["verified", "no longer. Existing quotes remain valid until they expire"]
        ])
      )
    })
  )
).pipe(Command.withDescription("Revoke a verification"))

const sessionJson = ({ createdAt, id, identityId, kind, reason, status }: VerificationSession) => ({
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
      const { id } = yield* resolveProject(project)
      const individuals = (yield* (yield* VerifiedIndividuals).list(id)).map(({ id, level, verifiedAt }) => ({
        individualId: id,
        verifiedAt: DateTime.formatIso(verifiedAt),
        level
      }))
      const sessions = (yield* (yield* Verifications).list(id, null)).map(sessionJson)
      yield* print(json, { individuals, sessions }, () =>
        [
          tableOrHint(
            ["INDIVIDUAL", "VERIFIED", "LEVEL"],
            individuals.map(({ individualId, level, verifiedAt }) => [individualId, verifiedAt, level]),
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

const toCommandError = ({ _tag, message }: { readonly _tag: string; readonly message: string }) =>
  _tag === "VERIFICATION_SESSION_NOT_FOUND"
    ? new NotFound({ what: message, hint: "`countersign identity list` shows the sessions." })
    : new CommandRefused({ reason: message })

const decisionFlags = {
  ...sessionFlags,
  reviewer: Flag.String("reviewer").pipe(
    Flag.withDescription("Your name as the reviewer. With IDENTITY_FOUR_EYES two different reviewers must approve"),
    Flag.withDefault("operator")
  ),
  owner: Flag.String("owner").pipe(
    Flag.withDescription("Id of an owner of a business, which `countersign identity show` lists"),
    Flag.optional
  )
}

interface DecisionInput {
  readonly json: boolean
  readonly owner: Option.Option<string>
  readonly project: Option.Option<string>
  readonly reviewer: string
  readonly session: string
}

/** Approves or rejects one owner of a business, or the complete verification. */
const decide = ({ json, owner, project, reviewer, session: sessionId }: DecisionInput, decision: Decision) =>
  withServices(
    Effect.gen(function* () {
      const { id } = yield* resolveProject(project)
      const verifications = yield* Verifications
      const session = yield* verifications
        .decidePart(id, sessionId, Option.getOrNull(owner), decision)
        .pipe(Effect.provideService(PersonalDataReader, reviewer), Effect.mapError(toCommandError))
      const parts = yield* verifications.listParts(session)
      const waitingParts = isOver(session.status) ? [] : parts.filter(({ isApproved }) => !isApproved)
      const sessionAfter = {
        ...sessionJson(session),
        waitsFor: waitingParts.map(({ ownerId }) => ownerId ?? `the ${session.kind}`)
      }
      yield* print(json, sessionAfter, () =>
        card([
          ["session", sessionAfter.sessionId],
          ["status", sessionAfter.status],
          [sessionAfter.kind, sessionAfter.identityId],
          ...(sessionAfter.waitsFor.length === 0
            ? []
            : [["not approved yet", sessionAfter.waitsFor.join(", ")] as const])
        ])
      )
    })
  )

const approve = Command.make("approve", decisionFlags, (flags) => decide(flags, { _tag: "Approve" })).pipe(
  Command.withDescription(
    "Approve a session, because its documents prove the identity. For a business, first approve each owner with --owner"
  )
)

const reject = Command.make(
  "reject",
  {
    ...decisionFlags,
    reason: Flag.String("reason").pipe(Flag.withDescription("Reason, which the API returns to the client"))
  },
  ({ reason, ...flags }) => decide(flags, { _tag: "Reject", reason })
).pipe(Command.withDescription("Reject a session; with --owner, reject the business because of one owner"))

/** Returns the name of an owner. Null if the personal data was erased, or contains no such owner. */
const ownerName = (personal: PersonalData | null, nth: number): string | null => {
  const owner = personal?._tag === "business" ? personal.owners[nth] : undefined
  return owner === undefined ? null : `${owner.firstName} ${owner.lastName}`
}

const show = Command.make(
  "show",
  {
    ...sessionFlags,
    documents: Flag.String("documents").pipe(Flag.withDescription("Folder for the decrypted documents"), Flag.optional)
  },
  ({ documents: folder, json, project, session: sessionId }) =>
    withServices(
      Effect.gen(function* () {
        const { id: projectId } = yield* resolveProject(project)
        const { parts, personal, session, ...review } = yield* (yield* Verifications)
          .review(projectId, sessionId)
          .pipe(Effect.mapError(toCommandError))
        const files = yield* DocumentFiles
        const documents = yield* writeDocuments(files, session, Option.getOrNull(folder))
        const owners = parts
          .filter(({ ownerId }) => ownerId !== null)
          .map(({ approvedBy, isApproved, ownerId }, nth) => ({
            ownerId,
            name: ownerName(personal, nth),
            isApproved: session.status === "COMPLETED" || isApproved,
            approvedBy
          }))
        const customers = yield* (yield* CustomerLinks).list(projectId, IndividualId.make(session.identityId))
        const otherSessions = review.otherSessions.map(sessionJson)
        yield* print(json, { ...sessionJson(session), personal, owners, customers, otherSessions, documents }, () =>
          [
            card([
              ["session", session.id],
              ["status", session.status],
              [session.kind, session.identityId],
              ...customers.map(({ customer, provider }) => [`customer of ${provider}`, customer] as const),
              ...otherSessions.map((other) => ["same document", `${other.sessionId} (${other.status})`] as const),
              ...Object.entries(personal ?? {})
                .filter(([name, value]) => name !== "_tag" && typeof value === "string")
                .map(([name, value]) => [name, String(value)] as const)
            ]),
            ...(owners.length === 0
              ? []
              : [
                  tableOrHint(
                    ["OWNER", "NAME", "APPROVED"],
                    owners.map(({ isApproved, name, ownerId }) => [
                      ownerId,
                      name ?? "",
                      isApproved ? "yes" : "not yet"
                    ]),
                    ""
                  )
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
      }).pipe(Effect.provideService(PersonalDataReader, "operator"))
    )
).pipe(Command.withDescription("Show the data and documents of a session"))

export const identity = Command.make("identity").pipe(
  Command.withDescription("Review identity verifications and manage verified individuals"),
  Command.withSubcommands([
    verify,
    revoke,
    list,
    show,
    approve,
    reject,
    ...identityCustomers,
    ...identityData,
    identityLimits
  ])
)
