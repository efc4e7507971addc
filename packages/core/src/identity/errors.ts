import { Schema } from "effect"

export class SessionNotFound extends Schema.TaggedError<SessionNotFound>("core/identity/SessionNotFound")(
  "VERIFICATION_SESSION_NOT_FOUND",
  { id: Schema.String }
) {
  override get message(): string {
    return `The project has no verification session ${this.id.slice(0, 80)}.`
  }
}

/** The state of the session does not allow the request. */
export class SessionStateMismatch extends Schema.TaggedError<SessionStateMismatch>(
  "core/identity/SessionStateMismatch"
)("VERIFICATION_SESSION_STATE", { id: Schema.String, status: Schema.String, needed: Schema.String }) {
  override get message(): string {
    return `The verification session ${this.id} is ${this.status}. This request needs a session that is ${this.needed}.`
  }
}

/**
 * The document already has a session that has not ended, or that is completed and not revoked. The session's document
 * number may be formatted differently.
 */
export class DocumentRegistered extends Schema.TaggedError<DocumentRegistered>("core/identity/DocumentRegistered")(
  "VERIFICATION_SESSION_STATE",
  { sessionId: Schema.String, status: Schema.String }
) {
  override get message(): string {
    return `The project already has verification session ${this.sessionId} for this document, with the status ${this.status}. Continue with that session. You can start another session after it is FAILED or EXPIRED, or after its verification is revoked.`
  }
}

export class OwnerNotFound extends Schema.TaggedError<OwnerNotFound>("core/identity/OwnerNotFound")(
  "VERIFICATION_OWNER_NOT_FOUND",
  { id: Schema.String, owners: Schema.Array(Schema.String) }
) {
  override get message(): string {
    const ownersText =
      this.owners.length === 0 ? "It is not the session of a business." : `Its owners are ${this.owners.join(", ")}.`
    return `The session has no owner ${this.id.slice(0, 80)}. ${ownersText}`
  }
}

export class DocumentNotFound extends Schema.TaggedError<DocumentNotFound>("core/identity/DocumentNotFound")(
  "VERIFICATION_DOCUMENT_NOT_FOUND",
  { sessionId: Schema.String, documentId: Schema.String }
) {
  override get message(): string {
    return `The verification session ${this.sessionId.slice(0, 80)} has no uploaded document ${this.documentId.slice(0, 80)}.`
  }
}

/** Personal data or documents can't be stored, because a setting is missing, such as the operator's encryption key. */
export class IdentityNotServed extends Schema.TaggedError<IdentityNotServed>("core/identity/IdentityNotServed")(
  "IDENTITY_NOT_SERVED",
  { reason: Schema.String }
) {
  override get message(): string {
    return `Identity verification is not available: ${this.reason}`
  }
}

/** The webhook is not authentic, or no identity provider is configured. */
export class IdentityCallbackRefused extends Schema.TaggedError<IdentityCallbackRefused>(
  "core/identity/IdentityCallbackRefused"
)("CALLBACK_SIGNATURE_INVALID", { reason: Schema.String }) {
  override get message(): string {
    return `The webhook was rejected: ${this.reason}.`
  }
}
