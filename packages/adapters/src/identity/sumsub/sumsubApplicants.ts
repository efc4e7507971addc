import {
  countryCode,
  type IdentityProviderRequest,
  type Owner,
  type PersonalData,
  type VerificationSession
} from "@countersign/core/identity"
import { iso31661Alpha2ToAlpha3 } from "iso-3166"

type Country = Owner["documentCountry"]
type SessionDocument = VerificationSession["documents"][number]

/** Converts a country to ISO 3166-1 alpha-3, which Sumsub requires. */
export const alpha3Of = (country: Country): string => iso31661Alpha2ToAlpha3[countryCode(country)]!

/** A person or business that Sumsub verifies as one applicant. The owners of a business are separate subjects. */
export interface Subject {
  /** Identifies the applicant at Sumsub, by project, session and owner. */
  readonly externalUserId: string
  readonly kind: "individual" | "business"
  /** Id of the owner; null for the person or business of the session itself. */
  readonly ownerId: string | null
}

/** Returns all subjects of a session. Owners come before their business. */
export const subjectsOf = ({ id, kind, ownerIds, projectId }: VerificationSession): ReadonlyArray<Subject> => [
  ...ownerIds.map((ownerId) => ({
    externalUserId: `${projectId}.${id}.${ownerId}`,
    kind: "individual" as const,
    ownerId
  })),
  { externalUserId: `${projectId}.${id}`, kind, ownerId: null }
]

/** Parses an `externalUserId` of this service; null for any other text. */
export const sessionFromExternalId = (text: string) => {
  const { projectId, sessionId } =
    /^(?<projectId>[\w-]+)\.(?<sessionId>ky[bc]_\w+)(?:\.(?:own|ind)_\w+)?$/u.exec(text)?.groups ?? {}
  return projectId === undefined || sessionId === undefined ? null : { projectId, sessionId }
}

/** Converts personal data to Sumsub's format. */
const personOf = (person: Owner) => ({
  firstName: person.firstName,
  lastName: person.lastName,
  dob: person.birthDate,
  addresses: [
    {
      street: person.address,
      town: person.city,
      state: person.state,
      postCode: person.postalCode
    }
  ]
})

type Business = Extract<PersonalData, { readonly _tag: "business" }>

const companyOf = (business: Business) => ({
  companyName: business.legalName,
  registrationNumber: business.documentId,
  country: alpha3Of(business.country),
  legalAddress: [business.streetLine1, business.streetLine2, business.postalCode, business.city, business.state]
    .filter((line) => line !== undefined)
    .join(", "),
  type: business.legalNature,
  email: business.email,
  phone: business.phoneNumber,
  ...(business.website === undefined ? {} : { website: business.website })
})

/**
 * Returns the person of a subject: the session's individual, or the owner at the index of the subject. Null for a
 * business.
 */
const personIn = (subject: Subject, { session }: IdentityProviderRequest, personal: PersonalData): Owner | null => {
  if (personal._tag === "individual") return personal
  return subject.ownerId === null ? null : (personal.owners[session.ownerIds.indexOf(subject.ownerId)] ?? null)
}

/** Builds the request that creates an applicant: https://docs.sumsub.com/reference/create-applicant */
export const applicantBodyOf = (subject: Subject, request: IdentityProviderRequest, personal: PersonalData): object => {
  const { externalUserId } = subject
  const person = personIn(subject, request, personal)
  if (person === null && personal._tag === "business") {
    return {
      externalUserId,
      type: "company",
      email: personal.email,
      phone: personal.phoneNumber,
      info: { companyInfo: companyOf(personal) }
    }
  }
  const contact = personal._tag === "individual" ? { email: personal.email, phone: personal.phoneNumber } : {}
  return {
    externalUserId,
    type: "individual",
    ...contact,
    fixedInfo: { ...personOf(person!), country: alpha3Of(person!.documentCountry) }
  }
}

/** Metadata with which Sumsub describes a document. */
export interface DocumentDefinition {
  readonly idDocType: string
  readonly idDocSubType?: string
  readonly country: string
}

const cardTypes = { PASSPORT: "PASSPORT", DRIVERS_LICENSE: "DRIVERS", IDENTITY_CARD: "ID_CARD" } as const

/**
 * Returns the metadata of a document; null for a document that Sumsub does not accept. For a passport it accepts only
 * the page with the photo. https://docs.sumsub.com/reference/add-id-documents
 */
export const definitionOf = (
  subject: Subject,
  { type }: SessionDocument,
  request: IdentityProviderRequest,
  personal: PersonalData
): DocumentDefinition | null => {
  const person = personIn(subject, request, personal)
  if (person === null) {
    const country = alpha3Of(request.session.country)
    return type === "socialContract"
      ? { idDocType: "COMPANY_DOC", idDocSubType: "INCORPORATION_ARTICLES", country }
      : { idDocType: "COMPANY_DOC", idDocSubType: "PROOF_OF_ADDRESS", country }
  }
  const country = alpha3Of(person.documentCountry)
  if (type === "proofOfAddress") return { idDocType: "UTILITY_BILL", country }
  const idDocType = cardTypes[person.documentCategory]
  if (idDocType === "PASSPORT") return type === "front" ? { idDocType, country } : null
  return { idDocType, idDocSubType: type === "front" ? "FRONT_SIDE" : "BACK_SIDE", country }
}
