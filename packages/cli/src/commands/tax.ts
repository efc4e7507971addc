import { MailLocale, TaxLayout } from "@countersign/core/accounting/tax"
import { Effect, Option, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { callEndpoint } from "../environment/ask.ts"
import { projectFlag } from "../environment/project.ts"
import { walletArgument } from "../input/address.ts"
import { asFlags } from "../input/asFlags.ts"
import { jsonFlag } from "../output/print.ts"
import { printResponse } from "../output/printResponse.ts"
import { card, table, tableOrHint } from "../output/table.ts"
import { writeAtomically } from "../output/writeAtomically.ts"

const wallet = walletArgument("wallet").pipe(Argument.withDescription("Address of the wallet"))

const timezone = Flag.String("timezone").pipe(
  Flag.withDescription("Time zone in which months begin and end, such as Europe/Lisbon"),
  Flag.withDefault("America/Sao_Paulo")
)

/** Flags that customize the emails. */
const customizationFlags = {
  subject: Flag.String("subject").pipe(Flag.withDescription("Subject of the emails"), Flag.optional),
  senderName: Flag.String("sender-name").pipe(
    Flag.withDescription("Display name of the sender of the emails"),
    Flag.optional
  ),
  replyTo: Flag.String("reply-to").pipe(Flag.withDescription("Reply-to address"), Flag.optional),
  locale: Flag.Literals("locale", MailLocale.literals).pipe(
    Flag.withDescription("Language of the emails"),
    Flag.optional
  ),
  introText: Flag.String("intro").pipe(Flag.withDescription("Text at the beginning of the emails"), Flag.optional),
  logoUrl: Flag.String("logo-url").pipe(Flag.withDescription("https URL of an image for the emails"), Flag.optional)
}

type CustomizationFlags = { readonly [Name in keyof typeof customizationFlags]: Option.Option<string> }

const customizationOf = (customization: CustomizationFlags) =>
  Object.fromEntries(
    Object.keys(customizationFlags).flatMap((name) =>
      Option.toArray(customization[name as keyof CustomizationFlags]).map((value) => [name, value])
    )
  )

const fieldFlags = {
  email: "--email",
  timezone: "--timezone",
  month: "--month",
  "individual.individualId": "--individual",
  "emailCustomization.subject": "--subject",
  "emailCustomization.senderName": "--sender-name",
  "emailCustomization.replyTo": "--reply-to",
  "emailCustomization.introText": "--intro",
  "emailCustomization.logoUrl": "--logo-url"
}

const schedule = Command.make(
  "schedule",
  {
    wallet,
    email: Flag.String("email").pipe(Flag.withDescription("Email address that receives the exports")),
    individual: Flag.String("individual").pipe(Flag.withDescription("Id of the taxpayer's identity")),
    timezone,
    ...customizationFlags,
    project: projectFlag,
    json: jsonFlag
  },
  ({ email, individual, json, project, timezone: zone, wallet: walletAddress, ...customization }) =>
    printResponse(
      { json },
      callEndpoint(({ tax }) => tax.schedule, project, {
        params: { walletAddress },
        payload: {
          email,
          individual: { type: "individual", individualId: individual },
          recurrencePreset: "MONTHLY_START",
          timezone: zone,
          emailCustomization: customizationOf(customization)
        }
      }).pipe(asFlags(fieldFlags), Effect.as({ walletAddress, timezone: zone, scheduled: true })),
      () => `At the start of each month (${zone}) the service sends an export of the previous month by email.`
    )
).pipe(Command.withDescription("Send an export of each month by email"))

const list = Command.make(
  "list",
  { wallet, project: projectFlag, json: jsonFlag },
  ({ json, project, wallet: walletAddress }) =>
    printResponse(
      { json },
      callEndpoint(({ tax }) => tax.schedules, project, { params: { walletAddress } }),
      ({ schedules }) =>
        tableOrHint(
          ["ID", "EMAIL", "TIME ZONE", "NEXT", "LAST", "STATE", "WHY"],
          schedules.map(({ email, id, lastExport, nextExportAt, timezone: zone }) => [
            id,
            email,
            zone,
            nextExportAt,
            lastExport?.month ?? null,
            lastExport?.status ?? null,
            lastExport?.lastError ?? null
          ]),
          "The wallet has no schedule. Create one with `countersign tax schedule WALLET --email … --individual …`."
        )
    )
).pipe(Command.withDescription("Show a wallet's schedule and its latest export"))

const remove = Command.make(
  "delete",
  { wallet, project: projectFlag, json: jsonFlag },
  ({ json, project, wallet: walletAddress }) =>
    printResponse(
      { json },
      callEndpoint(({ tax }) => tax.removeSchedule, project, { params: { walletAddress } }).pipe(
        Effect.as({ walletAddress, deleted: true })
      ),
      () => "The schedule is deleted, and its email address is erased."
    )
).pipe(Command.withDescription("Delete a wallet's schedule"))

interface File {
  readonly name: string
  readonly content: string
}

/** Writes a single file to the path. Several files get different suffixes. */
const writeAll = (out: string, files: ReadonlyArray<File>) =>
  Effect.forEach(files, ({ content, name }) => {
    const path = files.length === 1 ? out : `${out}-${name}`
    return Effect.as(writeAtomically("--out", path, Stream.make(content)), path)
  })

const exportMonth = Command.make(
  "export",
  {
    wallet,
    month: Flag.String("month").pipe(Flag.withDescription("The month, such as 2026-10")),
    timezone,
    format: Flag.Literals("format", TaxLayout.literals).pipe(
      Flag.withDescription("Only this file format; by default all formats that apply to the month"),
      Flag.optional
    ),
    out: Flag.String("out").pipe(
      Flag.withDescription(
        "Write the file to this path. If there are several files, the path is the prefix of their names"
      ),
      Flag.optional
    ),
    email: Flag.String("email").pipe(Flag.withDescription("Also send the export to this email address"), Flag.optional),
    ...customizationFlags,
    project: projectFlag,
    json: jsonFlag
  },
  ({ email, format, json, month, out, project, timezone: zone, wallet: walletAddress, ...customization }) =>
    printResponse(
      { json },
      Effect.gen(function* () {
        const response = yield* callEndpoint(({ tax }) => tax.export, project, {
          params: { walletAddress },
          query: { format: Option.getOrUndefined(format) },
          payload: {
            month,
            timezone: zone,
            email: Option.getOrNull(email),
            emailCustomization: customizationOf(customization)
          }
        }).pipe(asFlags(fieldFlags))
        const writtenPaths = Option.isSome(out) ? yield* writeAll(out.value, response.files) : []
        return { ...response, written: writtenPaths }
      }),
      ({ balances, complete, files, mailed, movements, withoutValue, written }) => {
        const summary = card([
          ["movements", movements],
          ["without a value", withoutValue],
          ["month", complete ? "over" : "incomplete month"],
          ["mailed", mailed ? "yes" : "no"]
        ])
        const balancesTable = table(
          ["ASSET", "OPENING", "RECEIVED", "SENT", "FEES", "GAS", "CLOSING", "GAIN USD", "GAIN BRL"],
          balances.map(({ closing, fees, gainBrl, gainUsd, gas, opening, received, sent, symbol }) => [
            symbol,
            opening,
            received,
            sent,
            fees,
            gas,
            closing,
            gainUsd,
            gainBrl
          ])
        )
        const hint = `Add --out FILE to write ${files.map(({ name }) => name).join(", ")}.`
        return [summary, balancesTable, written.length === 0 ? hint : `Written: ${written.join(", ")}`].join("\n\n")
      }
    )
).pipe(
  Command.withDescription("Export the movements of a wallet in a month, with cost basis and gains"),
  Command.withExamples([
    {
      command: "countersign tax export 0x… --month 2026-10 --format koinly --out october.csv",
      description: "Write a file for Koinly"
    }
  ])
)

export const tax = Command.make("tax").pipe(Command.withSubcommands([schedule, list, remove, exportMonth]))
