import {
  EmailCustomization,
  NewTaxSchedule,
  TaxExportRequest,
  TaxIndividual,
  TaxLayout
} from "@countersign/core/accounting/tax"
import { withDefault, withDescription } from "@countersign/core/foundation/primitives"
import { EmailAddress } from "@countersign/core/tenancy/mail"
import { Schema } from "effect"
import { flag, instant, instantOrNull, number, text, textOrNull } from "./fields.ts"
import { wordsText } from "./scalars.ts"

const { introText, locale, logoUrl, replyTo, senderName, subject } = EmailCustomization.fields

const CustomizationBody = Schema.Struct({
  subject: subject.pipe(withDescription("Subject of the email: one line of at most 150 characters")),
  senderName: senderName.pipe(withDescription("Display name of the sender: one line of at most 80 characters")),
  replyTo: replyTo.pipe(withDescription("The reply-to address")),
  locale: locale.pipe(withDescription("Language of the email; `en` by default")),
  introText: introText.pipe(withDescription("Plain text at the beginning of the email, at most 2000 characters")),
  logoUrl: logoUrl.pipe(withDescription("An https URL of an image that the email shows, at most 500 characters"))
}).annotate({ identifier: "EmailCustomization", description: "Customization of the emails" })

const IndividualBody = Schema.Struct({
  type: TaxIndividual.fields.type.pipe(withDescription("Type of the identity")),
  individualId: TaxIndividual.fields.individualId.pipe(withDescription("Id of the identity, at most 128 characters"))
}).annotate({ identifier: "TaxIndividual", description: "The taxpayer" })

const customization = withDefault(CustomizationBody, {}, "Customization of the emails")
const timezone = withDefault(
  Schema.String,
  "America/Sao_Paulo",
  "Time zone that defines the months: an IANA time zone name, not a fixed offset"
)

export const TaxScheduleBody = Schema.Struct({
  email: EmailAddress.pipe(withDescription("Email address that receives the exports")),
  individual: IndividualBody,
  emailCustomization: customization,
  recurrencePreset: NewTaxSchedule.fields.recurrencePreset.pipe(
    withDescription("Schedule: monthly, at the start of the following month")
  ),
  timezone
}).annotate({ identifier: "CreateTaxExportScheduleRequest", description: "A schedule to create" })

export const TaxExportBody = Schema.Struct({
  month: TaxExportRequest.fields.month.pipe(
    withDescription("A month such as `2026-10`. The export of the current month contains the movements so far")
  ),
  timezone,
  email: withDefault(
    Schema.NullOr(EmailAddress),
    null,
    "Email address to which the export is also sent; null to send no email"
  ),
  emailCustomization: customization
}).annotate({ identifier: "TaxExportRequest", description: "The month of an export" })

export const TaxExportQuery = {
  format: Schema.optionalKey(
    wordsText(
      TaxLayout,
      "File layouts: `full` (movements, balances and lots, with cost and gain by FIFO), `koinly` (Koinly's universal layout), `in1888` (token exchanges in the layout of IN RFB 1888, for months until June 2026; the layout of DeCripto, which applies from July 2026, is not available yet). By default all layouts that apply to the month"
    )
  )
}

/** The fields of a scheduled export in a list and in an event. They exclude the email address. */
export const taxExportFields = {
  id: text("Id of the export"),
  scheduleId: text("Id of its schedule"),
  walletAddress: text("Address of the wallet"),
  month: text("The month, such as `2026-10`"),
  timezone: text("Time zone of the month"),
  status: Schema.Literals(["PENDING", "DELIVERED", "FAILED"]).annotate({
    description:
      "`PENDING`: the email will be sent or retried. `DELIVERED`: the mail server accepted the email. `FAILED`: the mail server rejected it permanently, or every attempt failed"
  }),
  attempts: number("Number of attempts so far"),
  nextAttemptAt: instantOrNull("Time of the next attempt; null if there is none"),
  lastError: textOrNull("Error of the last attempt; null if there was none"),
  createdAt: instant("When the export was created"),
  endedAt: instantOrNull("When the export was delivered, or failed permanently; null before that")
}

const ScheduleBody = Schema.Struct({
  id: text("Id of the schedule"),
  walletAddress: text("Address of the wallet"),
  email: text("Email address that receives the exports"),
  individual: Schema.Struct({
    type: text("Type of the identity"),
    individualId: text("Id of the identity")
  }).annotate({ description: "The taxpayer" }),
  emailCustomization: Schema.Record(Schema.String, Schema.String).annotate({
    description: "Customization of the emails"
  }),
  recurrencePreset: text("Schedule of the exports, as in the request"),
  timezone: text("Time zone in which the months begin and end, as in the request"),
  createdAt: instant("When the schedule was created"),
  nextExportAt: instant("End of the first month that is not exported yet. The export is sent a few minutes later"),
  lastExport: Schema.NullOr(
    Schema.Struct(taxExportFields).annotate({ identifier: "ScheduledTaxExport", description: "A month's export" })
  ).annotate({ description: "The latest export; null before the first one" })
}).annotate({ identifier: "TaxExportSchedule", description: "A schedule that exports a wallet's movements each month" })

export const TaxSchedulesResponse = Schema.Struct({
  schedules: Schema.Array(ScheduleBody).annotate({ description: "The wallet's schedules" })
}).annotate({ identifier: "TaxExportSchedules", description: "The wallet's schedules" })

const BalanceBody = Schema.Struct({
  chainId: number("The chain"),
  tokenAddress: text("Address of the token"),
  symbol: text("Symbol of the token; its address if it is no longer listed"),
  opening: text("Balance at the month's start. Negative if the recorded outflows exceed the inflows"),
  received: text("Received amount"),
  sent: text("Sent amount, without fees and gas"),
  fees: text("Amount paid as fees"),
  gas: text("Amount paid for gas"),
  closing: text("Balance at the month's end: opening plus received, minus sent, fees and gas"),
  costUsd: textOrNull("Cost of the closing balance in US dollars, by FIFO; null if a price is unknown"),
  gainUsd: textOrNull("Realized gain of the month in US dollars; null if a price is unknown"),
  costBrl: textOrNull("Cost of the closing balance in Brazilian reais; null if a price is unknown"),
  gainBrl: textOrNull("Realized gain of the month in Brazilian reais; null if a price is unknown")
}).annotate({
  identifier: "TaxExportBalance",
  description: "Balances and movements of one token in the month, in token units"
})

export const TaxExportResponse = Schema.Struct({
  walletAddress: text("Address of the wallet"),
  month: text("The month"),
  timezone: text("Time zone of the month"),
  from: instant("Start of the month"),
  to: instant("End of the month (exclusive)"),
  complete: flag("Whether the month has ended. Movements of its last minutes may be missing for 15 minutes"),
  movements: number("Number of lines: a movement has several lines if its amounts have different tax categories"),
  withoutValue: number("Number of lines whose value cells are empty, because no source has a value in USD or BRL"),
  balances: Schema.Array(BalanceBody).annotate({ description: "Balances of the tokens, sorted by chain and symbol" }),
  files: Schema.Array(
    Schema.Struct({
      format: text("Layout of the file"),
      name: text("Name of the file"),
      contentType: text("Media type of the file"),
      content: text("Content of the file. The same history always results in the same bytes")
    }).annotate({ identifier: "TaxExportFile", description: "One exported file" })
  ).annotate({ description: "The export in each layout" }),
  mailed: flag("Whether the export is also sent by email")
}).annotate({ identifier: "TaxExport", description: "The movements of a wallet in a month" })
