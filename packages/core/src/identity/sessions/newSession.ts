import { DateTime } from "effect"
import type { Metadata } from "../../foundation/primitives/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { Country } from "../countries/countries.ts"
import type { DocumentType, SessionDocument, SessionKind, VerificationSession } from "./VerificationSession.ts"

const UPLOAD_DAYS = 7

const PERSON_DOCUMENTS: ReadonlyArray<DocumentType> = ["front", "back", "proofOfAddress"]
const BUSINESS_DOCUMENTS: ReadonlyArray<DocumentType> = ["proofOfAddress", "socialContract"]

const BUSINESS = "biz"
const INDIVIDUAL = "ind"
/** Prefix of an owner's id, if the owner's document was unknown before. */
export const OWNER = "own"

/** Returns the prefix of identity ids of this kind. */
export const identityPrefix = (kind: SessionKind): string => (kind === "business" ? BUSINESS : INDIVIDUAL)

/** Derives the type of an identity from its id. Ids that an operator has chosen belong to individuals. */
export const identityTypeOf = (id: string): SessionKind => (id.startsWith(`${BUSINESS}_`) ? "business" : "individual")

export interface SessionStart {
  readonly id: string
  readonly projectId: ProjectId
  readonly kind: SessionKind
  readonly identityId: string
  readonly country: Country
  readonly ownerIds: ReadonlyArray<string>
  readonly metadata: Metadata
  readonly now: DateTime.Utc
}

/** Creates a session that waits for its documents. */
export const newSession = ({ id, now, ...start }: SessionStart): VerificationSession => {
  const documentsOf = (ownerId: string | null, types: ReadonlyArray<DocumentType>): ReadonlyArray<SessionDocument> =>
    types.map((type) => ({ type, ownerId, key: [id, ...(ownerId === null ? [] : [ownerId]), type].join("/") }))
  return {
    ...start,
    id,
    status: "PENDING",
    documents:
      start.kind === "individual"
        ? documentsOf(null, PERSON_DOCUMENTS)
        : [
            ...documentsOf(null, BUSINESS_DOCUMENTS),
            ...start.ownerIds.flatMap((ownerId) => documentsOf(ownerId, PERSON_DOCUMENTS))
          ],
    reason: null,
    createdAt: now,
    updatedAt: now,
    expiresAt: DateTime.add(now, { days: UPLOAD_DAYS })
  }
}
