import { type ProviderRegistration, RegistrationStatus, Submission } from "@countersign/core/fiat"
import type { PersonalData, UploadDescriptor, VerificationView } from "@countersign/core/identity"
import { BusinessVerification, IndividualVerification } from "@countersign/core/identity"
import { DateTime, Schema } from "effect"
import { instant, link, text, textOrNull } from "./fields.ts"
import type { BaseUrl } from "./links.ts"
import { MetadataBody } from "./resources.ts"

export const BusinessVerificationBody = BusinessVerification.annotate({
  identifier: "BusinessVerificationRequest",
  description: "A business and its owners"
})

export const IndividualVerificationBody = IndividualVerification.annotate({
  identifier: "IndividualVerificationRequest",
  description: "A person"
})

const Upload = Schema.Struct({
  url: link("URL of the upload, by POST as `multipart/form-data`"),
  fields: Schema.Struct({
    bucket: text("Send this value unchanged"),
    key: text("Key of the document in the storage"),
    Policy: text("Upload policy in base64, which contains the expiry, the file type and the maximum file size"),
    "X-Upload-Algorithm": text("Signature algorithm"),
    "X-Upload-Credential": text("Send this value unchanged"),
    "X-Upload-Date": text("When the descriptor was created"),
    "X-Upload-Signature": text("Signature of the upload policy")
  }).annotate({ description: "Form fields to send before the file. The file must be last, in the field `file`" })
}).annotate({
  identifier: "UploadDescriptor",
  description: "URL and form fields for uploading one document, valid for 15 minutes"
})

const sessionFields = {
  id: text("Id of the session"),
  status: text(
    "`PENDING`: waits for the documents and for the call of `process`. `VERIFYING`, `IN_REVIEW`: under review. `COMPLETED`: verified. `FAILED`: rejected, see `reason`. `EXPIRED`: the documents were not submitted within 7 days"
  ),
  reason: textOrNull("Reason why the session was rejected; null if it was not rejected"),
  expiresAt: instant("Deadline for submitting the documents"),
  createdAt: instant("When the session was started"),
  updatedAt: instant("When the status of the session last changed")
}

const registrationFields = {
  provider: text("The fiat provider, such as `bridge`"),
  status: Schema.Literals(RegistrationStatus.literals).annotate({
    description:
      "`PENDING`: the provider has not decided. `ACTIVE`: the identity can deposit and withdraw through the provider. `ACTION_REQUIRED`: the provider needs `fields`. `REJECTED`: see `reason`"
  }),
  reason: textOrNull("Why the provider rejected the identity; null unless `REJECTED`"),
  fields: Schema.Array(text("Name of a field")).annotate({
    description:
      "Fields that the provider needs; empty unless `ACTION_REQUIRED`. `agreementId` is the id of the accepted terms"
  }),
  updatedAt: instant("When the status or the fields of the registration last changed")
}

const FiatRegistration = Schema.Struct(registrationFields).annotate({
  identifier: "FiatRegistration",
  description: "The registration of an identity as a customer of a fiat provider"
})

const fiatRegistrations = Schema.Array(FiatRegistration).annotate({
  description:
    "Once the session is approved: one registration for each configured fiat provider that serves the country. Empty before the approval. This field is an addition to the API document"
})

const provider = Schema.String.check(
  Schema.isPattern(/^[a-z0-9_-]{1,32}$/u, { message: "Expected a provider such as bridge" })
)

export const FiatTermsLinkRequest = Schema.Struct({
  provider: provider.annotate({ description: "The fiat provider" }),
  redirectUrl: Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(/^https?:\/\/[^\s\p{C}]{1,490}$/u, { message: "Expected an http or https URL" })
    ).annotate({
      description: "URL to which the provider's page redirects after the customer accepts the terms"
    })
  )
}).annotate({ identifier: "FiatTermsLinkRequest", description: "The fiat provider, and the URL to redirect to" })

export const FiatTermsLinkResponse = Schema.Struct({
  provider: text("The fiat provider"),
  url: text("The provider's page")
}).annotate({ identifier: "FiatTermsLink", description: "Link to accept the terms of a fiat provider" })

export const FiatRegistrationRequest = Schema.Struct({
  provider: provider.annotate({ description: "The fiat provider" }),
  ...Submission.fields
}).annotate({
  identifier: "FiatRegistrationRequest",
  description: "Data about an identity that a fiat provider requires"
})

export const FiatRegistrationResponse = Schema.Struct({ registration: FiatRegistration }).annotate({
  identifier: "FiatRegistrationAnswer",
  description: "The registration"
})

export const fiatRegistrationBody = ({ fields, provider, reason, status, updatedAt }: ProviderRegistration) => ({
  provider,
  status,
  reason,
  fields,
  updatedAt: DateTime.formatIso(updatedAt)
})

/** The fields of a registration event. */
export const registrationEventFields = {
  ...registrationFields,
  identityId: text("`businessId` or `individualId`"),
  sessionId: text("Id of the approved verification session")
}

export const registrationEventBody = (registration: ProviderRegistration) => ({
  ...fiatRegistrationBody(registration),
  identityId: registration.identityId,
  sessionId: registration.sessionId
})

const personalField = (description: string) => textOrNull(`${description}; null if it was erased`)

const IdentityDocument = Schema.Struct({
  id: personalField("Number of the document"),
  type: text("CNPJ or TAX_ID for a business; the issuing country for a person"),
  category: personalField("Type of the document")
}).annotate({ description: "Document that identifies the person or business" })

const BusinessSession = Schema.Struct({
  ...sessionFields,
  businessId: text("Id of the business. All sessions with the same registration number have the same id"),
  legalName: personalField("The registered name"),
  email: personalField("Email address"),
  legalNature: personalField("Legal form of the business"),
  phoneNumber: personalField("Telephone number"),
  website: personalField("Website, or null"),
  country: text("Country in which the business is registered"),
  address: personalField("Street and number"),
  city: personalField("City"),
  state: personalField("State, province or region"),
  postalCode: personalField("Postal code"),
  document: IdentityDocument,
  metadata: MetadataBody,
  fiatRegistrations
}).annotate({ identifier: "BusinessSession", description: "A verification of a business" })

const IndividualSession = Schema.Struct({
  ...sessionFields,
  individualId: text("Id of the individual. All sessions with the same identity document have the same `individualId`"),
  firstName: personalField("Given names"),
  lastName: personalField("Family names"),
  email: personalField("Email address, or null"),
  phoneNumber: personalField("Telephone number, or null"),
  birthDate: personalField("Date of birth"),
  nationality: personalField("Nationality"),
  country: text("Country of residence"),
  address: personalField("Street and number"),
  city: personalField("City"),
  state: personalField("State, province or region"),
  postalCode: personalField("Postal code"),
  document: IdentityDocument,
  metadata: MetadataBody,
  fiatRegistrations
}).annotate({ identifier: "IndividualSession", description: "A verification of an individual" })

const personUploadFields = {
  frontDocumentUpload: Upload,
  backDocumentUpload: Upload,
  proofOfAddressDocumentUpload: Upload
}

const missingDocuments = Schema.Array(
  Schema.Struct({
    type: text("`front`, `back`, `proofOfAddress` or `socialContract`"),
    ownerId: textOrNull("Id of the owner; null for the individual or business itself"),
    upload: Upload
  })
).annotate({ description: "While the session is `PENDING`: an upload descriptor for each missing document" })

export const BusinessSessionResponse = Schema.Struct({ session: BusinessSession, missingDocuments }).annotate({
  identifier: "BusinessSessionAnswer",
  description: "A verification of a business, and the missing documents"
})
export const IndividualSessionResponse = Schema.Struct({ session: IndividualSession, missingDocuments }).annotate({
  identifier: "IndividualSessionAnswer",
  description: "A verification of an individual, and the missing documents"
})

export const BusinessSessionStarted = Schema.Struct({
  session: BusinessSession,
  proofOfAddressDocumentUpload: Upload,
  socialContractDocumentUpload: Upload,
  ownersDocuments: Schema.Array(
    Schema.Struct({
      ownerId: text("Id of the owner. All sessions of the project with the same document have the same id"),
      ownerDocumentId: text("Number of the owner's document, as in the request"),
      ...personUploadFields
    })
  ).annotate({ description: "The owners, in the order of the request" })
}).annotate({
  identifier: "BusinessSessionStarted",
  description: "A session, and an upload descriptor for each document"
})

export const IndividualSessionStarted = Schema.Struct({
  session: IndividualSession,
  ...personUploadFields
}).annotate({
  identifier: "IndividualSessionStarted",
  description: "A session, and an upload descriptor for each document"
})

/** The fields of a session event. They exclude personal data. */
export const sessionEventFields = {
  ...sessionFields,
  metadata: MetadataBody,
  identityId: text("`businessId` or `individualId`")
}

const sharedFields = ({ createdAt, expiresAt, id, reason, status, updatedAt }: VerificationView["session"]) => ({
  id,
  status,
  reason,
  expiresAt: DateTime.formatIso(expiresAt),
  createdAt: DateTime.formatIso(createdAt),
  updatedAt: DateTime.formatIso(updatedAt)
})

export const sessionEventBody = (session: VerificationView["session"]) => ({
  ...sharedFields(session),
  metadata: session.metadata,
  identityId: session.identityId
})

type PersonalDataOf<Tag extends PersonalData["_tag"]> = Partial<Extract<PersonalData, { readonly _tag: Tag }>>

const dataOfKind = <Tag extends PersonalData["_tag"]>(personalData: PersonalData | null): PersonalDataOf<Tag> =>
  (personalData ?? {}) as PersonalDataOf<Tag>

type Registrations = ReadonlyArray<ProviderRegistration>

export const businessSessionBody = (
  { personal: personalData, session }: VerificationView,
  registrations: Registrations
): typeof BusinessSession.Encoded => {
  const {
    city,
    documentId,
    email,
    legalName,
    legalNature,
    phoneNumber,
    postalCode,
    state,
    streetLine1,
    streetLine2,
    website
  } = dataOfKind<"business">(personalData)
  const addressLines = [streetLine1, streetLine2].filter((line) => line !== undefined)
  return {
    ...sharedFields(session),
    businessId: session.identityId,
    legalName: legalName ?? null,
    email: email ?? null,
    legalNature: legalNature ?? null,
    phoneNumber: phoneNumber ?? null,
    website: website ?? null,
    country: session.country,
    address: addressLines.length === 0 ? null : addressLines.join(", "),
    city: city ?? null,
    state: state ?? null,
    postalCode: postalCode ?? null,
    document: {
      id: documentId ?? null,
      type: session.country === "BRAZIL" ? "CNPJ" : "TAX_ID",
      category: "BUSINESS_REGISTRATION"
    },
    metadata: session.metadata,
    fiatRegistrations: registrations.map(fiatRegistrationBody)
  }
}

export const individualSessionBody = (
  { personal: personalData, session }: VerificationView,
  registrations: Registrations
): typeof IndividualSession.Encoded => {
  const person = dataOfKind<"individual">(personalData)
  return {
    ...sharedFields(session),
    individualId: session.identityId,
    firstName: person.firstName ?? null,
    lastName: person.lastName ?? null,
    email: person.email ?? null,
    phoneNumber: person.phoneNumber ?? null,
    birthDate: person.birthDate ?? null,
    nationality: person.nationality ?? null,
    country: session.country,
    address: person.address ?? null,
    city: person.city ?? null,
    state: person.state ?? null,
    postalCode: person.postalCode ?? null,
    document: {
      id: person.documentId ?? null,
      type: person.documentCountry ?? session.country,
      category: person.documentCategory ?? null
    },
    metadata: session.metadata,
    fiatRegistrations: registrations.map(fiatRegistrationBody)
  }
}

/**
 * Returns a function that finds the upload descriptor of a document type. If `ownerId` is null, it finds those of
 * documents without an owner.
 */
const uploadFinderOf = (base: BaseUrl, { uploads }: VerificationView, ownerId: string | null) => {
  const descriptorsByType = new Map(
    uploads.filter((one) => one.ownerId === ownerId).map((one) => [one.type, one.descriptor])
  )
  const descriptorOf = (type: VerificationView["uploads"][number]["type"]): UploadDescriptor => {
    const { fields, url } = descriptorsByType.get(type)!
    return { url: `${base}${url}`, fields }
  }
  return descriptorOf
}

/** Builds the list of missing documents with their upload descriptors. */
export const missingDocumentsBody = (base: BaseUrl, { uploads }: VerificationView) =>
  uploads.map(({ descriptor: { fields, url }, ownerId, type }) => ({
    type,
    ownerId,
    upload: { url: `${base}${url}`, fields }
  }))

const personFields = (uploadOf: ReturnType<typeof uploadFinderOf>) => ({
  frontDocumentUpload: uploadOf("front"),
  backDocumentUpload: uploadOf("back"),
  proofOfAddressDocumentUpload: uploadOf("proofOfAddress")
})

export const businessStartedBody = (
  base: BaseUrl,
  startedVerification: VerificationView,
  registrations: Registrations
) => {
  const ownUploadOf = uploadFinderOf(base, startedVerification, null)
  const owners = dataOfKind<"business">(startedVerification.personal).owners ?? []
  return {
    session: businessSessionBody(startedVerification, registrations),
    proofOfAddressDocumentUpload: ownUploadOf("proofOfAddress"),
    socialContractDocumentUpload: ownUploadOf("socialContract"),
    ownersDocuments: startedVerification.session.ownerIds.map((ownerId, i) => ({
      ownerId,
      ownerDocumentId: owners[i]!.documentId,
      ...personFields(uploadFinderOf(base, startedVerification, ownerId))
    }))
  }
}

export const individualStartedBody = (
  base: BaseUrl,
  startedVerification: VerificationView,
  registrations: Registrations
) => ({
  session: individualSessionBody(startedVerification, registrations),
  ...personFields(uploadFinderOf(base, startedVerification, null))
})
