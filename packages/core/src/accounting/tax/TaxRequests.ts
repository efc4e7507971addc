import { Schema } from "effect"
import { EmailAddress } from "../../tenancy/mail/index.ts"
import { TaxLayout } from "./layouts/taxFiles.ts"
import { Month } from "./Period.ts"

/**
 * Excludes control characters, line and paragraph separators, and characters that reverse the text direction (UAX #9).
 */
const LINE = /^[^\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]*$/u
/** The same as `LINE`, but allows line breaks. */
const LINES = /^(?:[^\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]|[\n\r])*$/u

const line = (length: number) => {
  const message = `Expected one line of 1 to ${length} characters`
  return Schema.String.check(Schema.isBetweenLength(1, length, { message }), Schema.isPattern(LINE, { message }))
}

const URL_MESSAGE = "Expected an https URL of at most 500 characters"
/** A host with an optional port, followed by visible ASCII characters. */
const HttpsUrl = Schema.String.check(
  Schema.isMaxLength(500, { message: URL_MESSAGE }),
  Schema.isPattern(/^https:\/\/[A-Za-z0-9][A-Za-z0-9.-]*(?::\d{1,5})?(?:[/?#][!-~]*)?$/u, { message: URL_MESSAGE })
)

export const MailLocale = Schema.Literals(["en", "pt-BR"])
export type MailLocale = typeof MailLocale.Type

/** The project's customization of emails to its users. */
export const EmailCustomization = Schema.Struct({
  subject: Schema.optionalKey(line(150)),
  senderName: Schema.optionalKey(line(80)),
  replyTo: Schema.optionalKey(EmailAddress),
  locale: Schema.optionalKey(MailLocale),
  introText: Schema.optionalKey(
    Schema.String.check(
      Schema.isBetweenLength(1, 2_000, { message: "Expected a text of 1 to 2000 characters" }),
      Schema.isPattern(LINES, { message: "Expected a text without control characters" })
    )
  ),
  logoUrl: Schema.optionalKey(HttpsUrl)
})
export type EmailCustomization = typeof EmailCustomization.Type

/** The taxpayer. The individual need not be verified. */
export const TaxIndividual = Schema.Struct({ type: Schema.Literals(["individual"]), individualId: line(128) })
export type TaxIndividual = typeof TaxIndividual.Type

export const RecurrencePreset = Schema.Literals(["MONTHLY_START"])
export type RecurrencePreset = typeof RecurrencePreset.Type

export const NewTaxSchedule = Schema.Struct({
  email: EmailAddress,
  individual: TaxIndividual,
  emailCustomization: EmailCustomization,
  recurrencePreset: RecurrencePreset,
  /** Validated by the service, because an unknown name has its own error. */
  timezone: Schema.String
})
export type NewTaxSchedule = typeof NewTaxSchedule.Type

export const TaxExportRequest = Schema.Struct({
  month: Month,
  timezone: Schema.String,
  /** Null selects all layouts that apply to the month. */
  layouts: Schema.NullOr(Schema.Array(TaxLayout)),
  /** The email address that receives the export. Null if no email is sent. */
  email: Schema.NullOr(EmailAddress),
  emailCustomization: EmailCustomization
})
export type TaxExportRequest = typeof TaxExportRequest.Type
