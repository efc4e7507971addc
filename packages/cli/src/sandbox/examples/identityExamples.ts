import { randomInt } from "node:crypto"
import { endpointRunnerOf, endpoints } from "@countersign/adapters/api/endpoints"
import { DocumentFiles } from "@countersign/adapters/identity"
import { isCnpj } from "@countersign/core/foundation/primitives"
import { type DocumentUpload, type VerificationSession, Verifications } from "@countersign/core/identity"
import type { Project } from "@countersign/core/tenancy/projects"
import type { Examples } from "@countersign/http"
import { DateTime, Effect, Stream } from "effect"

const NOTE = "the examples of the reference"
const metadata = { for: NOTE }
const CONTENT_TYPE = "application/pdf"
const PAGE = Buffer.from("%PDF-1.7 an example")
/** Minimum remaining time of a reused session, so that the reader can send the example before the session expires. */
const REMAINING = { hours: 1 }

const startBusiness = endpointRunnerOf(endpoints.kyc.startBusiness)
const startIndividual = endpointRunnerOf(endpoints.kyc.startIndividual)

const randomDigits = (count: number): string => Array.from({ length: count }, () => randomInt(10)).join("")

const newDocumentId = (): string => `FX${randomDigits(12)}`

/** Generates a Brazilian business registration number (CNPJ) for which no session exists. */
const newCnpj = (): string => {
  const firstDigits = randomDigits(12)
  const candidates = Array.from({ length: 100 }, (_, last) => firstDigits + String(last).padStart(2, "0"))
  return candidates.find(isCnpj)!
}

const newPerson = () => ({
  firstName: "Ana",
  lastName: "Souza",
  documentId: newDocumentId(),
  documentCategory: "PASSPORT" as const,
  documentCountry: "BRAZIL" as const,
  birthDate: "1990-12-31",
  nationality: "BRAZILIAN" as const,
  address: "Rua das Flores 12",
  city: "Curitiba",
  state: "PR",
  postalCode: "80010-000"
})

const newBusiness = () => ({
  legalName: "Padaria Souza Ltda",
  email: "contato@padaria.example",
  documentId: newCnpj(),
  legalNature: "LTDA",
  phoneNumber: "5541999990000",
  city: "Curitiba",
  postalCode: "80010-000",
  state: "PR",
  streetLine1: "Rua das Flores 12",
  country: "BRAZIL" as const,
  owners: [newPerson()]
})

const upload = Effect.fnUntraced(function* ({ descriptor }: DocumentUpload) {
  const files = yield* DocumentFiles
  const policy = yield* files.policyOf(new Map(Object.entries(descriptor.fields)))
  const { commit } = yield* files.receive(policy, CONTENT_TYPE, Stream.make(PAGE))
  yield* commit
}, Effect.scoped)

/** Returns a session with uploaded documents that is not submitted yet. Creates it if none exists. */
const sessionReadyToSubmit = Effect.fnUntraced(function* (project: Project, kind: VerificationSession["kind"]) {
  const verifications = yield* Verifications
  const expiryBound = DateTime.add(yield* DateTime.now, REMAINING)
  const existingSession = (yield* verifications.list(project.id, "PENDING")).find(
    (session) =>
      session.kind === kind && session.metadata.for === NOTE && DateTime.isGreaterThan(session.expiresAt, expiryBound)
  )
  const startedSession =
    existingSession ??
    (yield* kind === "business"
      ? startBusiness(project, { payload: { ...newBusiness(), metadata } })
      : startIndividual(project, { payload: { ...newPerson(), metadata } })).session
  const { uploads } = yield* verifications.find(project.id, kind, startedSession.id)
  yield* Effect.forEach(uploads, upload, { discard: true })
  return { parameters: { sessionId: startedSession.id } }
})

/** Returns a session in review. Creates it if none exists. */
const sessionReadyForReview = Effect.fnUntraced(function* (project: Project, note: string) {
  const verifications = yield* Verifications
  const existingSession = (yield* verifications.list(project.id, "IN_REVIEW")).find(
    ({ metadata }) => metadata.for === note
  )
  if (existingSession !== undefined) return { parameters: { sessionId: existingSession.id } }
  const { session } = yield* startIndividual(project, { payload: { ...newPerson(), metadata: { for: note } } })
  const { uploads } = yield* verifications.find(project.id, "individual", session.id)
  yield* Effect.forEach(uploads, upload, { discard: true })
  yield* verifications.process(project.id, "individual", session.id)
  return { parameters: { sessionId: session.id } }
})

/** Prepares document numbers without a session, a session of each kind to submit, and two sessions to review. */
export const identityExamples = Effect.fnUntraced(function* (project: Project) {
  const businessSession = yield* sessionReadyToSubmit(project, "business")
  const individualSession = yield* sessionReadyToSubmit(project, "individual")
  const examples: Examples = {
    "kyc.startBusiness": { body: { documentId: newCnpj() } },
    "kyc.startIndividual": { body: { documentId: newDocumentId() } },
    "kyc.business": businessSession,
    "kyc.processBusiness": businessSession,
    "kyc.individual": individualSession,
    "kyc.processIndividual": individualSession,
    "admin.session": individualSession,
    "admin.document": individualSession,
    "admin.approve": yield* sessionReadyForReview(project, "the example of an approval"),
    "admin.reject": yield* sessionReadyForReview(project, "the example of a refusal"),
    // The sandbox's provider has no terms, and registers an identity when it is approved. So these requests cannot
    // succeed.
    "kyc.fiatTermsLink": null,
    "kyc.registerWithFiatProvider": null
  }
  return examples
})
