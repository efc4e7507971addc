export { Country, countryCode, Nationality, timeZoneOfCountry } from "./countries/countries.ts"
export { Documents, type UploadDescriptor } from "./documents/Documents.ts"
export { IdentityNotServed, SessionNotFound, SessionStateMismatch } from "./errors.ts"
export { AccessAction, PersonalAccess, PersonalAccesses, PersonalDataReader } from "./personal/PersonalAccesses.ts"
export { PersonalVault } from "./personal/PersonalVault.ts"
export { identityTypeOf } from "./sessions/newSession.ts"
export { businessSessionEvents, individualSessionEvents, sessionMoved } from "./sessions/sessionEvent.ts"
export { canMove, isOver, SessionStatus } from "./sessions/sessionStates.ts"
export { type DocumentType, type SessionKind, VerificationSession } from "./sessions/VerificationSession.ts"
export { type ReviewWait, type StoredSession, VerificationSessionStore } from "./sessions/VerificationSessionStore.ts"
export {
  type Decision,
  type DocumentUpload,
  personalDataOf,
  type ShownVerification,
  Verifications
} from "./Verifications.ts"
export { IndividualId, type VerifiedIndividual, VerifiedIndividuals } from "./VerifiedIndividuals.ts"
export {
  BusinessVerification,
  DocumentCategory,
  IndividualVerification,
  Owner,
  PersonalData
} from "./verification/BusinessVerification.ts"
