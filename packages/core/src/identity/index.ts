export { Country, countryCode, Nationality, timeZoneOfCountry } from "./countries/countries.ts"
export { Documents, type UploadDescriptor } from "./documents/Documents.ts"
export { IdentityNotServed, SessionNotFound, SessionStateMismatch } from "./errors.ts"
export { PersonalVault } from "./personal/PersonalVault.ts"
export { identityTypeOf } from "./sessions/newSession.ts"
export { businessSessionEvents, individualSessionEvents } from "./sessions/sessionEvent.ts"
export { SessionStatus } from "./sessions/sessionStates.ts"
export { type DocumentType, type SessionKind, VerificationSession } from "./sessions/VerificationSession.ts"
export { type StoredSession, VerificationSessionStore } from "./sessions/VerificationSessionStore.ts"
export {
  type Decision,
  type DocumentUpload,
  type ShownVerification,
  type StartedVerification,
  Verifications
} from "./Verifications.ts"
export { IndividualId, type VerifiedIndividual, VerifiedIndividuals } from "./VerifiedIndividuals.ts"
export {
  BusinessVerification,
  DocumentCategory,
  IndividualVerification,
  Owner,
  type PersonalData
} from "./verification/BusinessVerification.ts"
