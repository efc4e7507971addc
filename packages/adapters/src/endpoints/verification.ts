import { Verifications } from "@countersign/core/identity"
import { described } from "@countersign/core/primitives"
import { Effect, Schema } from "effect"
import {
  BusinessSessionResponse,
  BusinessSessionStarted,
  BusinessVerificationBody,
  businessSessionBody,
  businessStartedBody,
  IndividualSessionResponse,
  IndividualSessionStarted,
  IndividualVerificationBody,
  individualSessionBody,
  individualStartedBody,
  LinkBase,
  missingDocumentsBody
} from "../wire/index.ts"
import { endpoint } from "./Endpoint.ts"

const BUSINESSES = "/api/v1/kyc/business-verification-sessions/standard"
const INDIVIDUALS = "/api/v1/kyc/individual-verification-sessions/standard"

const sessionPath = {
  sessionId: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(128)).pipe(described("Id of the session"))
}

export const businessVerification = endpoint({
  id: "verification.startBusiness",
  method: "POST",
  path: BUSINESSES,
  summary: "Start the verification of a business",
  description:
    "Answers a session and how each document is uploaded: PDF, JPEG or PNG of at most 25 MiB, within 15 minutes. Then `process` hands them in. What was sent is kept sealed with a key of this business alone. A registration number has one session at a time, however it is spelled: 409 names it. Another one can be started after a refusal or an expiry, and has the same `businessId`.",
  payload: BusinessVerificationBody,
  success: BusinessSessionStarted,
  status: 201,
  errors: ["IDENTITY_NOT_SERVED", "VERIFICATION_SESSION_STATE"],
  scope: "kyc",
  cost: null,
  shownOnce: ["session", "ownersDocuments"],
  run: Effect.fnUntraced(function* ({ payload, project }) {
    const started = yield* (yield* Verifications).startBusiness(project.id, payload)
    return businessStartedBody(yield* LinkBase, started)
  })
})

export const businessVerificationShow = endpoint({
  id: "verification.business",
  method: "GET",
  path: `${BUSINESSES}/:sessionId`,
  summary: "A verification of a business",
  description: "The session with its status, and how documents that are missing are uploaded, for 15 minutes from now.",
  params: sessionPath,
  success: BusinessSessionResponse,
  errors: ["VERIFICATION_SESSION_NOT_FOUND", "UPSTREAM_UNAVAILABLE"],
  scope: "kyc",
  cost: null,
  run: Effect.fnUntraced(function* ({ params, project }) {
    const found = yield* (yield* Verifications).find(project.id, "business", params.sessionId)
    return { session: businessSessionBody(found), missingDocuments: missingDocumentsBody(yield* LinkBase, found) }
  })
})

export const businessVerificationProcess = endpoint({
  id: "verification.processBusiness",
  method: "POST",
  path: `${BUSINESSES}/:sessionId/process`,
  summary: "Hand the documents of a business in",
  description: "Every document must be uploaded. From here on it is reviewed; again, nothing changes.",
  params: sessionPath,
  errors: ["VERIFICATION_SESSION_NOT_FOUND", "VERIFICATION_SESSION_STATE", "UPSTREAM_UNAVAILABLE"],
  scope: "kyc",
  cost: null,
  run: ({ params, project }) =>
    Verifications.use((verifications) => verifications.process(project.id, "business", params.sessionId))
})

export const individualVerification = endpoint({
  id: "verification.startIndividual",
  method: "POST",
  path: INDIVIDUALS,
  summary: "Start the verification of a person",
  description:
    "Answers a session with `individualId`, and how each document is uploaded: PDF, JPEG or PNG of at most 25 MiB, within 15 minutes. Then `process` hands them in. What was sent is kept sealed with a key of this person alone. A document has one session at a time, however its number is spelled: 409 names it. Another one can be started after a refusal or an expiry, and has the same `individualId`.",
  payload: IndividualVerificationBody,
  success: IndividualSessionStarted,
  status: 201,
  errors: ["IDENTITY_NOT_SERVED", "VERIFICATION_SESSION_STATE"],
  scope: "kyc",
  cost: null,
  shownOnce: ["session"],
  run: Effect.fnUntraced(function* ({ payload, project }) {
    const started = yield* (yield* Verifications).startIndividual(project.id, payload)
    return individualStartedBody(yield* LinkBase, started)
  })
})

export const individualVerificationShow = endpoint({
  id: "verification.individual",
  method: "GET",
  path: `${INDIVIDUALS}/:sessionId`,
  summary: "A verification of a person",
  description: "The session with its status, and how documents that are missing are uploaded, for 15 minutes from now.",
  params: sessionPath,
  success: IndividualSessionResponse,
  errors: ["VERIFICATION_SESSION_NOT_FOUND", "UPSTREAM_UNAVAILABLE"],
  scope: "kyc",
  cost: null,
  run: Effect.fnUntraced(function* ({ params, project }) {
    const found = yield* (yield* Verifications).find(project.id, "individual", params.sessionId)
    return { session: individualSessionBody(found), missingDocuments: missingDocumentsBody(yield* LinkBase, found) }
  })
})

export const individualVerificationProcess = endpoint({
  id: "verification.processIndividual",
  method: "POST",
  path: `${INDIVIDUALS}/:sessionId/process`,
  summary: "Hand the documents of a person in",
  description: "Every document must be uploaded. From here on it is reviewed; again, nothing changes.",
  params: sessionPath,
  errors: ["VERIFICATION_SESSION_NOT_FOUND", "VERIFICATION_SESSION_STATE", "UPSTREAM_UNAVAILABLE"],
  scope: "kyc",
  cost: null,
  run: ({ params, project }) =>
    Verifications.use((verifications) => verifications.process(project.id, "individual", params.sessionId))
})
