import type { ProviderCustomers, RegistrationOutcome, RegistrationRequest } from "@countersign/core/fiat"
import { countryCode, IndividualId, type PersonalData } from "@countersign/core/identity"
import { Effect } from "effect"
import { iso31661Alpha2ToAlpha3 } from "iso-3166"
import type { DocumentFiles } from "../identity/index.ts"

export type ReadDocument = DocumentFiles["Service"]["read"]

type Country = Parameters<typeof countryCode>[0]
export type DocumentType = RegistrationRequest["session"]["documents"][number]["type"]

/** Converts a country to ISO 3166-1 alpha-3. */
export const alpha3Of = (country: Country): string => iso31661Alpha2ToAlpha3[countryCode(country)]!

/** Returns the id of the customer's agreement to the provider's terms. The latest submission has precedence. */
export const agreementOf = (
  { registration: { provider }, submission }: RegistrationRequest,
  { providerAgreements = [] }: PersonalData
): string | null =>
  submission?.agreementId ?? providerAgreements.find((one) => one.provider === provider)?.agreementId ?? null

/** Returns the email address and the phone number (E.164), if known. The submission has precedence. */
export const contactOf = ({ submission }: RegistrationRequest, personal: PersonalData) => {
  const { email = personal.email, phoneNumber = personal.phoneNumber } = submission?.details ?? {}
  return { email, phone: phoneNumber === undefined ? undefined : `+${phoneNumber.replace(/^\+/u, "")}` }
}

/**
 * Links the identity to its customer. Returns null if this succeeds, or the outcome of the registration if the customer
 * belongs to another identity.
 */
export const linkIdentity = (
  links: ProviderCustomers["Service"],
  { registration: { identityId, projectId, provider } }: RegistrationRequest,
  customer: string
): Effect.Effect<RegistrationOutcome | null> =>
  Effect.map(links.link(projectId, IndividualId.make(identityId), { provider, customer }), (isLinked) =>
    isLinked
      ? null
      : {
          status: "REJECTED",
          reason: "the provider's customer is already linked to another individual of this or another project"
        }
  )

/** Builds the URL of a provider's terms page. It redirects to a URL after the customer has accepted the terms. */
export const linkWithReturn = (url: string, parameter: string, redirectUrl: string | null): string => {
  if (redirectUrl === null) return url
  const link = new URL(url)
  link.searchParams.set(parameter, redirectUrl)
  return link.href
}

/** Reads a document of the session, for an owner or for the identity itself. Null if the document no longer exists. */
export const sessionDocument = Effect.fnUntraced(function* (
  read: ReadDocument,
  { session: { documents, identityId } }: RegistrationRequest,
  type: DocumentType,
  ownerId: string | null
) {
  const key = documents.find((one) => one.type === type && one.ownerId === ownerId)?.key
  return key === undefined ? null : yield* read({ key, identityId })
})

/**
 * Whether a rejection concerns the submitted data. If it concerns the configuration (404) or another request (409), the
 * registration is retried.
 */
export const isAboutData = ({ status }: { readonly status: number }): boolean => status === 400 || status === 422

/** Returns the field names in `errors` of a provider's rejection, at most 30; empty if there are none. */
export const refusalFields = (body: unknown): ReadonlyArray<string> => {
  const errors = Object(body).errors
  if (!Array.isArray(errors)) return []
  const names = errors.flatMap((error: unknown) => {
    const path = Object(error).path
    const lastSegment: unknown = Array.isArray(path) ? path.at(-1) : path
    return typeof lastSegment === "string" && /^[A-Za-z_]{1,64}$/u.test(lastSegment) ? [lastSegment] : []
  })
  return [...new Set(names)].slice(0, 30)
}
