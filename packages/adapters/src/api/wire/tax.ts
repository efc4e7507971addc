import {
  EmailCustomization,
  NewTaxSchedule,
  TaxExportRequest,
  TaxIndividual,
  TaxLayout
} from "@countersign/core/accounting/tax"
import { described, withDefault } from "@countersign/core/foundation/primitives"
import { EmailAddress } from "@countersign/core/tenancy/mail"
import { Schema } from "effect"
import { flag, instant, instantOrNull, number, text, textOrNull } from "./fields.ts"
import { wordsText } from "./scalars.ts"

const { introText, locale, logoUrl, replyTo, senderName, subject } = EmailCustomization.fields

const CustomizationBody = Schema.Struct({
  subject: subject.pipe(described("The mail's subject: one line of at most 150 characters")),
  senderName: senderName.pipe(described("Shown beside the sender's address: one line of at most 80 characters")),
  replyTo: replyTo.pipe(described("The address that answers go to")),
  locale: locale.pipe(described("Language of the mail; `en` when left out")),
  introText: introText.pipe(described("Plain text before the rest, of at most 2000 characters")),
  logoUrl: logoUrl.pipe(described("An https URL of a picture that the mail shows, of at most 500 characters"))
}).annotate({ identifier: "EmailCustomization", description: "What is different in the mails from what is usual" })

const IndividualBody = Schema.Struct({
  type: TaxIndividual.fields.type.pipe(described("The kind of identity")),
  individualId: TaxIndividual.fields.individualId.pipe(described("Id of the identity, of at most 128 characters"))
}).annotate({ identifier: "TaxIndividual", description: "Whose taxes they are" })

const customization = withDefault(CustomizationBody, {}, "What is different in the mails from what is usual")
const timezone = withDefault(
  Schema.String,
  "America/Sao_Paulo",
  "Where a month begins: a time zone of the IANA database, and no fixed offset"
)

export const TaxScheduleBody = Schema.Struct({
  email: EmailAddress.pipe(described("Where the exports are mailed to")),
  individual: IndividualBody,
  emailCustomization: customization,
  recurrencePreset: NewTaxSchedule.fields.recurrencePreset.pipe(
    described("When: after the end of each month, at the start of the next")
  ),
  timezone
}).annotate({ identifier: "CreateTaxExportScheduleRequest", description: "A schedule to create" })

export const TaxExportBody = Schema.Struct({
  month: TaxExportRequest.fields.month.pipe(
    described("A month such as `2026-10`. One that is not over yet has what there is so far")
  ),
  timezone,
  email: withDefault(Schema.NullOr(EmailAddress), null, "Where it is mailed to as well; null for nowhere"),
  emailCustomization: customization
}).annotate({ identifier: "TaxExportRequest", description: "The month of an export" })

export const TaxExportQuery = {
  format: Schema.optionalKey(
    wordsText(
      TaxLayout,
      "The layouts of the files: `full` (movements, balances and lots, with cost and gain by first in, first out), `koinly` (Koinly's universal layout), `in1888` (exchanges of tokens in the layout of IN RFB 1888, for months until June 2026; the layout of DeCripto, which applies from July 2026, is not available yet). All that apply to the month when left out"
    )
  )
}

/** A scheduled export, in a list and in an event: it names no address. */
export const taxExportFields = {
  id: text("Id of the export"),
  scheduleId: text("Id of its schedule"),
  walletAddress: text("Address of the wallet"),
  month: text("The month, such as `2026-10`"),
  timezone: text("Where the month begins and ends"),
  status: Schema.Literals(["PENDING", "DELIVERED", "FAILED"]).annotate({
    description:
      "`PENDING`: will be mailed, or mailed again. `DELIVERED`: the mail server took it. `FAILED`: it was refused for good, or every attempt failed"
  }),
  attempts: number("Attempts so far"),
  nextAttemptAt: instantOrNull("When it is attempted next; null where it is not"),
  lastError: textOrNull("What went wrong in the last attempt; null for nothing"),
  createdAt: instant("When it was begun"),
  endedAt: instantOrNull("When it was delivered, or failed for good; null before")
}

const ScheduleBody = Schema.Struct({
  id: text("Id of the schedule"),
  walletAddress: text("Address of the wallet"),
  email: text("Where the exports are mailed to"),
  individual: Schema.Struct({
    type: text("The kind of identity"),
    individualId: text("Id of the identity")
  }).annotate({ description: "Whose taxes they are" }),
  emailCustomization: Schema.Record(Schema.String, Schema.String).annotate({
    description: "What is different in the mails from what is usual"
  }),
  recurrencePreset: text("When exports are made"),
  timezone: text("Where a month begins and ends, as it was given"),
  createdAt: instant("When the schedule was made"),
  nextExportAt: instant("The end of the first month that is not exported yet: it is mailed some minutes later"),
  lastExport: Schema.NullOr(
    Schema.Struct(taxExportFields).annotate({ identifier: "ScheduledTaxExport", description: "A month's export" })
  ).annotate({ description: "The latest export; null before the first one" })
}).annotate({ identifier: "TaxExportSchedule", description: "Exports of a wallet, one for each month" })

export const TaxSchedulesResponse = Schema.Struct({
  schedules: Schema.Array(ScheduleBody).annotate({ description: "The wallet's schedules" })
}).annotate({ identifier: "TaxExportSchedules", description: "The wallet's schedules" })

const BalanceBody = Schema.Struct({
  chainId: number("The chain"),
  tokenAddress: text("Address of the token"),
  symbol: text("Symbol of the token; its address if it is no longer listed"),
  opening: text("Held at the month's start. Below zero where more went out than was recorded as coming in"),
  received: text("Came in"),
  sent: text("Went out, but for fees and gas"),
  fees: text("Paid as fees"),
  gas: text("Paid for gas"),
  closing: text("Held at its end: opening and received, less sent, fees and gas"),
  costUsd: textOrNull("Cost of what the wallet held at the end, by first in, first out; null if a price is not known"),
  gainUsd: textOrNull("Realised gain of the month; null where a price is not known"),
  costBrl: textOrNull("The same cost in reais"),
  gainBrl: textOrNull("The same gain in reais")
}).annotate({ identifier: "TaxExportBalance", description: "A token over the month, in whole tokens" })

export const TaxExportResponse = Schema.Struct({
  walletAddress: text("Address of the wallet"),
  month: text("The month"),
  timezone: text("Where it begins and ends"),
  from: instant("Its first instant"),
  to: instant("The first instant after it"),
  complete: flag("Whether the month is over"),
  movements: number("Lines of the month: a movement has several if its parts are for different things"),
  withoutValue: number("Lines for which no source has a value in USD or BRL: their cells are empty"),
  balances: Schema.Array(BalanceBody).annotate({ description: "By chain and symbol" }),
  files: Schema.Array(
    Schema.Struct({
      format: text("The layout"),
      name: text("Name of the file"),
      contentType: text("Its media type"),
      content: text("Its content: the same, byte by byte, whenever the same history is exported")
    }).annotate({ identifier: "TaxExportFile", description: "A file" })
  ).annotate({ description: "The export in each layout" }),
  mailed: flag("Whether it was mailed as well")
}).annotate({ identifier: "TaxExport", description: "What a wallet moved in a month" })
