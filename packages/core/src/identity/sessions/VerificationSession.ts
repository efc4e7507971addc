import { Schema } from "effect"
import { Metadata } from "../../foundation/primitives/index.ts"
import { ProjectId } from "../../tenancy/projects/index.ts"
import { Country } from "../countries/countries.ts"
import { SessionStatus } from "./sessionStates.ts"

export const SessionKind = Schema.Literals(["business", "individual"])
export type SessionKind = typeof SessionKind.Type

export const DocumentType = Schema.Literals(["front", "back", "proofOfAddress", "socialContract"])
export type DocumentType = typeof DocumentType.Type

/** A document that a session asks for. */
export const SessionDocument = Schema.Struct({
  type: DocumentType,
  /** Whose it is; null for the business itself. */
  ownerId: Schema.NullOr(Schema.String),
  /** Its place in the store of documents. */
  key: Schema.String
})
export type SessionDocument = typeof SessionDocument.Type

/** One attempt to verify who somebody is. It tells nothing of a person: that is sealed beside it. */
export const VerificationSession = Schema.Struct({
  id: Schema.String,
  projectId: ProjectId,
  kind: SessionKind,
  /** `businessId` or `individualId`: the same for each session of the same identity document. */
  identityId: Schema.String,
  status: SessionStatus,
  country: Country,
  /** In the order of the owners in the request. */
  ownerIds: Schema.Array(Schema.String),
  documents: Schema.Array(SessionDocument),
  /** Why it was refused; null where it was not. */
  reason: Schema.NullOr(Schema.String),
  metadata: Metadata,
  createdAt: Schema.DateTimeUtc,
  updatedAt: Schema.DateTimeUtc,
  /** When it expires, where its documents have not come. */
  expiresAt: Schema.DateTimeUtc
})
export type VerificationSession = typeof VerificationSession.Type
