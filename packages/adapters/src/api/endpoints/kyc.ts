import { ProviderRegistrations } from "@countersign/core/fiat"
import { withDescription } from "@countersign/core/foundation/primitives"
import { IndividualId, Verifications, type VerificationView } from "@countersign/core/identity"
import { Effect, Schema } from "effect"
import {
  BusinessSessionResponse,
  BusinessSessionStarted,
  BusinessVerificationBody,
  businessSessionBody,
  businessStartedBody,
  FiatRegistrationRequest,
  FiatRegistrationResponse,
  FiatTermsLinkRequest,
  FiatTermsLinkResponse,
  fiatRegistrationBody,
  IndividualSessionResponse,
  IndividualSessionStarted,
  IndividualVerificationBody,
  individualSessionBody,
  individualStartedBody,
  LinkBase,
  missingDocumentsBody
} from "../wire/index.ts"
import { endpoint } from "./Endpoint.ts"
import { INDIVIDUAL, PERSON, SESSION } from "./exampleValues.ts"
import { sessionLinks } from "./links.ts"

const BUSINESS_SESSIONS_PATH = "/api/v1/kyc/business-verification-sessions/standard"
const INDIVIDUAL_SESSIONS_PATH = "/api/v1/kyc/individual-verification-sessions/standard"

/** Returns the identity's registrations with fiat providers. */
const registrationsOf = ({ session: { identityId, projectId } }: VerificationView) =>
  ProviderRegistrations.use((registrations) => registrations.list(projectId, identityId))

const sessionPath = {
  sessionId: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(128)).pipe(
    withDescription("Id of the session")
  )
}

const startBusiness = endpoint({
  id: "kyc.startBusiness",
  method: "POST",
  path: BUSINESS_SESSIONS_PATH,
  summary: "Start the verification of a business",
  description:
    "Returns a session and an upload descriptor for each document: a PDF, JPEG or PNG file of at most 25 MiB, within 15 minutes. Then submit the documents with `process`. The service encrypts the submitted data with a key for this business. A registration number, in any spelling, can have only one open session; a second request fails with 409, whose `message` contains the session id. After a session was rejected or expired, you can start another session, which has the same `businessId`.",
  payload: BusinessVerificationBody,
  success: BusinessSessionStarted,
  status: 201,
  errors: ["IDENTITY_NOT_SERVED", "VERIFICATION_SESSION_STATE"],
  scope: "kyc",
  cost: null,
  shownOnce: ["session", "ownersDocuments"],
  example: {
    body: {
      legalName: "Padaria Souza Ltda",
      email: "contato@padaria.example",
      documentId: "33000167000101",
      legalNature: "LTDA",
      phoneNumber: "5541999990000",
      city: "Curitiba",
      postalCode: "80010-000",
      state: "PR",
      streetLine1: "Rua das Flores 12",
      country: "BRAZIL",
      owners: [PERSON]
    }
  },
  links: sessionLinks("Business"),
  run: Effect.fnUntraced(function* ({ payload, project }) {
    const session = yield* (yield* Verifications).startBusiness(project.id, payload)
    return businessStartedBody(yield* LinkBase, session, yield* registrationsOf(session))
  })
})

const business = endpoint({
  id: "kyc.business",
  method: "GET",
  path: `${BUSINESS_SESSIONS_PATH}/:sessionId`,
  summary: "Get the verification session of a business",
  description:
    "Returns the session with its status, and upload descriptors for the missing documents, which are valid for 15 minutes.",
  params: sessionPath,
  success: BusinessSessionResponse,
  errors: ["VERIFICATION_SESSION_NOT_FOUND", "UPSTREAM_UNAVAILABLE"],
  scope: "kyc",
  cost: null,
  example: { parameters: { sessionId: SESSION } },
  run: Effect.fnUntraced(function* ({ params, project }) {
    const verification = yield* (yield* Verifications).find(project.id, "business", params.sessionId)
    const session = businessSessionBody(verification, yield* registrationsOf(verification))
    return { session, missingDocuments: missingDocumentsBody(yield* LinkBase, verification) }
  })
})

const processBusiness = endpoint({
  id: "kyc.processBusiness",
  method: "POST",
  path: `${BUSINESS_SESSIONS_PATH}/:sessionId/process`,
  summary: "Submit the documents of a business",
  description: "Starts the review. Upload all documents first. A repeated request has no effect.",
  params: sessionPath,
  errors: ["VERIFICATION_SESSION_NOT_FOUND", "VERIFICATION_SESSION_STATE", "UPSTREAM_UNAVAILABLE"],
  scope: "kyc",
  cost: null,
  example: { parameters: { sessionId: SESSION } },
  run: ({ params, project }) =>
    Verifications.use((verifications) => verifications.process(project.id, "business", params.sessionId))
})

const startIndividual = endpoint({
  id: "kyc.startIndividual",
  method: "POST",
  path: INDIVIDUAL_SESSIONS_PATH,
  summary: "Start the verification of a person",
  description:
    "Returns a session with `individualId` and an upload descriptor for each document: a PDF, JPEG or PNG file of at most 25 MiB, within 15 minutes. Then submit the documents with `process`. The service encrypts the submitted data with a key for this person. An identity document, with its number in any spelling, can have only one open session; a second request fails with 409, whose `message` contains the session id. After a session was rejected or expired, you can start another session, which has the same `individualId`.",
  payload: IndividualVerificationBody,
  success: IndividualSessionStarted,
  status: 201,
  errors: ["IDENTITY_NOT_SERVED", "VERIFICATION_SESSION_STATE"],
  scope: "kyc",
  cost: null,
  shownOnce: ["session"],
  example: { body: PERSON },
  links: sessionLinks("Individual"),
  run: Effect.fnUntraced(function* ({ payload, project }) {
    const session = yield* (yield* Verifications).startIndividual(project.id, payload)
    return individualStartedBody(yield* LinkBase, session, yield* registrationsOf(session))
  })
})

const individual = endpoint({
  id: "kyc.individual",
  method: "GET",
  path: `${INDIVIDUAL_SESSIONS_PATH}/:sessionId`,
  summary: "Get the verification session of a person",
  description:
    "Returns the session with its status, and upload descriptors for the missing documents, which are valid for 15 minutes.",
  params: sessionPath,
  success: IndividualSessionResponse,
  errors: ["VERIFICATION_SESSION_NOT_FOUND", "UPSTREAM_UNAVAILABLE"],
  scope: "kyc",
  cost: null,
  example: { parameters: { sessionId: SESSION } },
  run: Effect.fnUntraced(function* ({ params, project }) {
    const verification = yield* (yield* Verifications).find(project.id, "individual", params.sessionId)
    const session = individualSessionBody(verification, yield* registrationsOf(verification))
    return { session, missingDocuments: missingDocumentsBody(yield* LinkBase, verification) }
  })
})

const processIndividual = endpoint({
  id: "kyc.processIndividual",
  method: "POST",
  path: `${INDIVIDUAL_SESSIONS_PATH}/:sessionId/process`,
  summary: "Submit the documents of a person",
  description: "Starts the review. Upload all documents first. A repeated request has no effect.",
  params: sessionPath,
  errors: ["VERIFICATION_SESSION_NOT_FOUND", "VERIFICATION_SESSION_STATE", "UPSTREAM_UNAVAILABLE"],
  scope: "kyc",
  cost: null,
  example: { parameters: { sessionId: SESSION } },
  run: ({ params, project }) =>
    Verifications.use((verifications) => verifications.process(project.id, "individual", params.sessionId))
})

const fiatTermsLink = endpoint({
  id: "kyc.fiatTermsLink",
  method: "POST",
  path: "/api/v1/kyc/fiat-terms-links",
  summary: "Get a link to the terms of a fiat provider",
  description:
    "Returns the URL of a page of the provider. On this page a customer accepts the provider's terms, and thereby consents to the registration with the provider. The page redirects to `redirectUrl` with the id of the agreement: `tos_id` for BlindPay, `signed_agreement_id` for Bridge. Send this id in `providerAgreements` of the verification session, or later with the registration.",
  payload: FiatTermsLinkRequest,
  success: FiatTermsLinkResponse,
  errors: ["UPSTREAM_UNAVAILABLE"],
  scope: "kyc",
  cost: null,
  example: { body: { provider: "bridge", redirectUrl: "https://app.example.com/terms-accepted" } },
  run: ({ payload: { provider, redirectUrl = null } }) =>
    Effect.map(
      ProviderRegistrations.use((registrations) => registrations.termsLink(provider, redirectUrl)),
      (url) => ({ provider, url })
    )
})

const registerWithFiatProvider = endpoint({
  id: "kyc.registerWithFiatProvider",
  method: "POST",
  path: "/api/v1/kyc/identities/:identityId/fiat-registrations",
  summary: "Complete a registration with a fiat provider",
  description:
    "An approval registers the identity with each configured fiat provider that serves its country. If the registration is `ACTION_REQUIRED` or `REJECTED`, this endpoint submits the data that the provider needs, and registers the identity again. The service encrypts the submitted data with the key of this identity.",
  params: { identityId: IndividualId.pipe(withDescription("Id of the person or business")) },
  payload: FiatRegistrationRequest,
  success: FiatRegistrationResponse,
  responses: "registration",
  errors: ["IDENTITY_NOT_FOUND"],
  scope: "kyc",
  cost: null,
  example: {
    body: {
      provider: "bridge",
      agreementId: "d536a227-06d3-4de1-acd3-8b5131730480",
      details: { email: "ana@example.com" }
    },
    parameters: { identityId: INDIVIDUAL }
  },
  run: ({ params: { identityId }, payload: { provider, ...submission }, project }) =>
    Effect.map(
      ProviderRegistrations.use((registrations) => registrations.submit(project.id, identityId, provider, submission)),
      (registration) => ({ registration: fiatRegistrationBody(registration) })
    )
})

export const kyc = {
  startBusiness,
  business,
  processBusiness,
  startIndividual,
  individual,
  processIndividual,
  fiatTermsLink,
  registerWithFiatProvider
}
