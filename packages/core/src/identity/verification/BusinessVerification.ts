import { Schema } from "effect"
import { metadataField, withDescription } from "../../foundation/primitives/index.ts"
import { EmailAddress } from "../../tenancy/mail/index.ts"
import { Country, Nationality } from "../countries/countries.ts"

const line = (description: string) =>
  Schema.String.check(
    Schema.isPattern(/^(?=.*\S)[^\p{C}]{1,200}$/u, { message: "Expected 1 to 200 printable characters" })
  ).pipe(withDescription(description))

const digits = (description: string) =>
  Schema.String.check(Schema.isPattern(/^\d{1,32}$/u, { message: "Expected 1 to 32 digits" })).pipe(
    withDescription(description)
  )

export const DocumentCategory = Schema.Literals(["PASSPORT", "DRIVERS_LICENSE", "IDENTITY_CARD"])

const personFields = {
  firstName: line("Given names"),
  lastName: line("Family names"),
  documentId: Schema.String.check(
    Schema.isPattern(/^[A-Za-z0-9./-]{1,32}$/u, {
      message: "Expected 1 to 32 characters: letters, digits, dots, slashes or hyphens"
    })
  ).pipe(withDescription("Number of the identity document")),
  documentCategory: DocumentCategory.pipe(withDescription("Document type")),
  documentCountry: Country.pipe(withDescription("Country that issued the document")),
  birthDate: Schema.String.check(
    Schema.isPattern(/^\d{4}-\d{2}-\d{2}$/u, { message: "Expected a date such as 1990-12-31" })
  ).pipe(withDescription("Date of birth, such as `1990-12-31`")),
  nationality: Nationality.pipe(withDescription("Nationality, as the demonym of a country")),
  address: line("Street and number"),
  city: line("City"),
  state: line("State, province or region"),
  postalCode: line("Postal code")
}

/**
 * The fiat providers' terms that the person or business accepted on the providers' pages. Accepting them is the consent
 * to the registration with the provider.
 */
const agreementFields = {
  providerAgreements: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        provider: line("The fiat provider, such as `bridge`"),
        agreementId: line("Id of the accepted terms, as the provider's page returned it")
      })
    )
      .check(Schema.isMaxLength(10, { message: "Expected at most 10 agreements" }))
      .annotate({ description: "Accepted terms of fiat providers" })
  )
}

/** A person who owns a share of a business. */
export const Owner = Schema.Struct(personFields)
export type Owner = typeof Owner.Type

export const MAX_OWNERS = 20

const businessFields = {
  ...agreementFields,
  legalName: line("The registered name"),
  email: EmailAddress.pipe(withDescription("Email address of the business")),
  documentId: Schema.String.check(
    Schema.isPattern(/^[A-Za-z0-9]{1,32}$/u, { message: "Expected 1 to 32 digits; a CNPJ may have letters" })
  ).pipe(withDescription("Tax registration number of the business, digits only; a CNPJ may have letters")),
  legalNature: line("Legal form, such as `LTDA`"),
  phoneNumber: digits("Phone number with country code, digits only"),
  website: Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(/^https?:\/\/[^\s\p{C}]{1,490}$/u, { message: "Expected an http or https URL" })
    ).pipe(withDescription("Web site"))
  ),
  city: line("City"),
  postalCode: line("Postal code"),
  state: line("State, province or region"),
  streetLine1: line("Street and number"),
  streetLine2: Schema.optionalKey(line("Further address line")),
  country: Country.pipe(withDescription("Country in which the business is registered")),
  owners: Schema.Array(Owner)
    .check(
      Schema.isMinLength(1, { message: "Expected at least one owner" }),
      Schema.isMaxLength(MAX_OWNERS, { message: `Expected at most ${MAX_OWNERS} owners` })
    )
    .pipe(withDescription(`The owners of the business, 1 to ${MAX_OWNERS}`))
}

export const BusinessVerification = Schema.Struct({ ...businessFields, metadata: metadataField })
export type BusinessVerification = typeof BusinessVerification.Type

const individualFields = {
  ...personFields,
  ...agreementFields,
  email: Schema.optionalKey(EmailAddress.pipe(withDescription("Email address"))),
  phoneNumber: Schema.optionalKey(digits("Phone number with country code, digits only")),
  country: Schema.optionalKey(
    Country.pipe(withDescription("Country of residence; by default the country of the document"))
  )
}

export const IndividualVerification = Schema.Struct({ ...individualFields, metadata: metadataField })
export type IndividualVerification = typeof IndividualVerification.Type

/**
 * The personal data of a session, which are stored encrypted. Stored data may violate validation rules that were added
 * later, so new rules belong in `verificationProblems`.
 */
export const PersonalData = Schema.Union([
  Schema.TaggedStruct("business", businessFields),
  Schema.TaggedStruct("individual", individualFields)
])
export type PersonalData = typeof PersonalData.Type

const personalText = Schema.fromJsonString(PersonalData)
/** Serializes personal data for encryption. */
export const personalTextOf = Schema.encodeSync(personalText)
/** Parses decrypted personal data. */
export const personalDataOf = Schema.decodeSync(personalText)
