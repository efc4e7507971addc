import { join } from "node:path"
import { DocumentFiles } from "@countersign/adapters/identity"
import { PRIVATE_FILE_MODE } from "@countersign/adapters/storage/files"
import { TaxSchedule } from "@countersign/core/accounting/tax"
import { IndividualId, PersonalAccess, PersonalDataReader, VerificationSession } from "@countersign/core/identity"
import { DataSubjects, type SubjectData } from "@countersign/core/tenancy/data-subjects"
import { DateTime, Effect, FileSystem, Option, Redacted, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { callEndpoint } from "../environment/ask.ts"
import { withServices } from "../environment/connect.ts"
import { CommandRefused, NotFound } from "../environment/errors.ts"
import { findStoredProject, projectFlag, resolveProject } from "../environment/project.ts"
import { readAs } from "../input/readAs.ts"
import { writeDocuments } from "../output/documents.ts"
import { jsonFlag, print } from "../output/print.ts"
import { printResponse } from "../output/printResponse.ts"
import { card, tableOrHint } from "../output/table.ts"

const identityArgument = Argument.String("identity-id").pipe(
  readAs(IndividualId),
  Argument.withDescription("Id of the individual or business, as in `individualId` or `businessId`")
)
const flags = { identity: identityArgument, project: projectFlag, json: jsonFlag }

const provideOperator = Effect.provideService(PersonalDataReader, "operator")
const encodeSession = Schema.encodeSync(VerificationSession)
const encodeAccess = Schema.encodeSync(PersonalAccess)
const encodeSchedule = Schema.encodeSync(Schema.Struct({ ...TaxSchedule.fields, email: Schema.String }))

/** Formats the stored data for the file that the data subject gets. */
const toExportJson = ({
  accesses,
  customers,
  fiatOrders,
  identityId,
  sessions,
  taxSchedules,
  verifiedAt
}: SubjectData) => ({
  identityId,
  verifiedAt: verifiedAt === null ? null : DateTime.formatIso(verifiedAt),
  sessions: sessions.map(({ personal, session }) => ({ ...encodeSession(session), personal })),
  customers,
  fiatOrders: fiatOrders.map(({ createdAt, id, quote, state }) => ({
    id,
    state,
    direction: quote.direction,
    method: quote.method,
    currency: quote.currency,
    walletAddress: quote.walletAddress,
    chainId: quote.chainId,
    createdAt: DateTime.formatIso(createdAt)
  })),
  taxSchedules: taxSchedules.map((schedule) => encodeSchedule({ ...schedule, email: Redacted.value(schedule.email) })),
  accesses: accesses.map((access) => encodeAccess(access))
})

const exportData = Command.make(
  "export",
  {
    ...flags,
    to: Flag.String("to").pipe(Flag.withDescription("New folder for the data. Only your user can read it"))
  },
  ({ identity, json, project, to }) =>
    withServices(
      Effect.gen(function* () {
        const { id } = yield* resolveProject(project)
        const exportedData = yield* (yield* DataSubjects).export(id, identity).pipe(
          provideOperator,
          Effect.mapError(
            ({ message }) => new NotFound({ what: message, hint: "`countersign identity list` shows ids." })
          )
        )
        const fs = yield* FileSystem.FileSystem
        const files = yield* DocumentFiles
        yield* fs.makeDirectory(to, { recursive: true, mode: 0o700 })
        const path = join(to, "data.json")
        yield* fs.writeFileString(path, `${JSON.stringify(toExportJson(exportedData), null, 2)}\n`, {
          mode: PRIVATE_FILE_MODE
        })
        const documents = yield* Effect.forEach(exportedData.sessions, ({ session }) =>
          provideOperator(writeDocuments(files, session, to))
        )
        const writtenDocuments = documents.flat().filter((document) => document.path !== null)
        const summary = {
          identityId: identity,
          data: path,
          documents: writtenDocuments.map((document) => document.path),
          sessions: exportedData.sessions.length,
          fiatOrders: exportedData.fiatOrders.length,
          taxSchedules: exportedData.taxSchedules.length
        }
        yield* print(json, summary, () =>
          card([
            ["identity", identity],
            ["data", path],
            ["documents", String(writtenDocuments.length)],
            ["sessions", String(summary.sessions)],
            ["fiat orders", String(summary.fiatOrders)],
            ["tax schedules", String(summary.taxSchedules)]
          ])
        )
      })
    )
).pipe(Command.withDescription("Write all stored data of an individual or business to a folder, for the data subject"))

const RETENTION_NOTE = "Orders remain with amounts but without names, because payment services must keep them by law."

const erase = Command.make(
  "erase",
  {
    ...flags,
    yes: Flag.Boolean("yes").pipe(
      Flag.withAlias("y"),
      Flag.withDescription("Erase without a confirmation"),
      Flag.withDefault(false)
    )
  },
  ({ identity, json, project, yes }) =>
    withServices(
      Effect.gen(function* () {
        // The project may have moved to another database. Then the rows that remain in this database are erased too.
        const { id } = yield* findStoredProject(project)
        if (!yes) {
          return yield* new CommandRefused({
            reason: `This permanently erases the personal data of ${identity}: the encryption key, documents, verification, links to customers of providers, and tax schedules. Add --yes to continue.`
          })
        }
        const erasure = yield* (yield* DataSubjects).erase(id, identity).pipe(
          provideOperator,
          Effect.mapError((failure) =>
            failure._tag === "DATA_SUBJECT_NOT_FOUND"
              ? new NotFound({ what: failure.message, hint: "`countersign identity list` shows ids." })
              : new CommandRefused({ reason: failure.message })
          )
        )
        yield* print(json, { ...erasure, kept: erasure.keptOrders === 0 ? null : RETENTION_NOTE }, () =>
          card([
            ["identity", identity],
            [
              "erased",
              `${erasure.sessions} sessions, ${erasure.documents} documents, ${erasure.taxSchedules} tax schedules`
            ],
            ["kept", erasure.keptOrders === 0 ? "nothing" : `${erasure.keptOrders} fiat orders. ${RETENTION_NOTE}`],
            ["elsewhere", "Providers and earlier backups still have copies. Erase these copies too"]
          ])
        )
      })
    )
).pipe(
  Command.withDescription("Erase all personal data of an individual or business"),
  Command.withExamples([
    { command: "countersign identity erase ind_7 --yes", description: "Erase without a confirmation" }
  ])
)

const ACCESSES_MAX = 1_000

const accesses = Command.make(
  "accesses",
  {
    identity: identityArgument.pipe(Argument.optional),
    project: projectFlag,
    json: jsonFlag
  },
  ({ identity, project, ...printOptions }) =>
    printResponse(
      printOptions,
      callEndpoint(({ admin }) => admin.accesses, project, {
        query: { take: ACCESSES_MAX, ...(Option.isSome(identity) ? { identityId: identity.value } : {}) }
      }),
      (response) =>
        tableOrHint(
          ["IDENTITY", "ACCESS", "BY", "TIMES", "LAST"],
          response.accesses.map((access) => [
            access.identityId,
            access.action,
            access.reader,
            String(access.times),
            access.lastAt
          ]),
          "No API key has read personal data."
        )
    )
).pipe(Command.withDescription("List accesses to personal data, by API key, day and type of access"))

export const identityData = [exportData, erase, accesses] as const
