import { Schema } from "effect"
import { Metadata } from "../../foundation/primitives/index.ts"
import { ProjectId } from "../../tenancy/projects/index.ts"
import { Country } from "../countries/countries.ts"
import { SessionStatus } from "./sessionStates.ts"

export const SessionKind = Schema.Literals(["business", "individual"])
export type SessionKind = typeof SessionKind.Type

export const DocumentType = Schema.Literals(["front", "back", "proofOfAddress", "socialContract"])
export type DocumentType = typeof DocumentType.Type

/** A document that a session requires. */
export const SessionDocument = Schema.Struct({
  type: DocumentType,
  /** The owner to whom the document belongs. Null for a document of the session's person or business. */
  ownerId: Schema.NullOr(Schema.String),
  /** The key in the document store. */
  key: Schema.String
})
export type SessionDocument = typeof SessionDocument.Type

/** One attempt to verify an identity. It contains no personal data. These are encrypted and stored separately. */
export const VerificationSession = Schema.Struct({
  id: Schema.String,
  projectId: ProjectId,
  kind: SessionKind,
  /**
   * The `businessId` or `individualId`. All sessions of a project with the same identity document have the same id,
   * until the identity is erased.
   */
  identityId: Schema.String,
  status: SessionStatus,
  country: Country,
  /** In the order of the owners in the request. */
  ownerIds: Schema.Array(Schema.String),
  documents: Schema.Array(SessionDocument),
  /** The reason for a rejection. Null if the session was not rejected, or if its identity was erased. */
  reason: Schema.NullOr(Schema.String),
  metadata: Metadata,
  createdAt: Schema.DateTimeUtc,
  updatedAt: Schema.DateTimeUtc,
  /** The time when the session expires, unless its documents are submitted earlier. */
  expiresAt: Schema.DateTimeUtc
})
export type VerificationSession = typeof VerificationSession.Type
