export { ApprovalFollowUp } from "./ApprovalFollowUp.ts"
export { Country, countryCode, countryCodeOrNull, Nationality, timeZoneOfCountry } from "./countries/countries.ts"
export { Documents, type UploadDescriptor } from "./documents/Documents.ts"
export {
  DocumentNotFound,
  DocumentRegistered,
  IdentityCallbackRefused,
  IdentityNotServed,
  OwnerNotFound,
  SessionNotFound,
  SessionStateMismatch
} from "./errors.ts"
export { AccessAction, PersonalAccess, PersonalAccesses, PersonalDataReader } from "./personal/PersonalAccesses.ts"
export { PersonalVault } from "./personal/PersonalVault.ts"
export {
  ConfiguredIdentityProvider,
  type IdentityCallback,
  type IdentityCallbackContent,
  type IdentityProvider,
  type IdentityProviderRequest,
  type Verdict
} from "./provider/IdentityProvider.ts"
export { identityTypeOf } from "./sessions/newSession.ts"
export { isApproved, ReviewPolicy } from "./sessions/ReviewPolicy.ts"
export type { DocumentUpload } from "./sessions/sessionDocuments.ts"
export { businessSessionEvents, individualSessionEvents, sessionEventOf } from "./sessions/sessionEvent.ts"
export type { Decision } from "./sessions/sessionMoves.ts"
export { documentIdOf, type PartReview } from "./sessions/sessionReviews.ts"
export { canTransition, isOver, SessionStatus } from "./sessions/sessionStates.ts"
export {
  type DocumentType,
  SessionDocument,
  type SessionKind,
  VerificationSession
} from "./sessions/VerificationSession.ts"
export {
  type PartApprovals,
  type PendingReviewCount,
  type StoredSession,
  VerificationSessionStore
} from "./sessions/VerificationSessionStore.ts"
export { VerificationChecks } from "./VerificationChecks.ts"
export { type Review, Verifications, type VerificationView } from "./Verifications.ts"
export {
  IndividualId,
  levelsBelow,
  VerificationLevel,
  type VerifiedIndividual,
  VerifiedIndividuals
} from "./VerifiedIndividuals.ts"
export {
  BusinessVerification,
  DocumentCategory,
  IndividualVerification,
  Owner,
  PersonalData,
  personalDataOf
} from "./verification/BusinessVerification.ts"
export { identityKeysOf, personIdentityKeys } from "./verification/documentsOf.ts"
