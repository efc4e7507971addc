import { DateTime, Effect } from "effect"
import { requireNoProblem } from "../../foundation/errors/index.ts"
import { Documents, type UploadDescriptor } from "../documents/Documents.ts"
import type { DocumentType, VerificationSession } from "./VerificationSession.ts"

const UPLOAD_MINUTES = 15

export interface DocumentUpload {
  readonly type: DocumentType
  readonly ownerId: string | null
  readonly descriptor: UploadDescriptor
}

/** Returns a problem for each document of a session that is not uploaded. */
const missingDocuments = ({ documents }: VerificationSession, uploadedKeys: ReadonlySet<string>) =>
  documents
    .filter(({ key }) => !uploadedKeys.has(key))
    .map(({ ownerId, type }) => ({
      path: "",
      code: "document_missing",
      message: `The document ${type}${ownerId === null ? "" : ` of owner ${ownerId}`} is not uploaded. Upload it before you submit the session.`
    }))

/** Finds the missing documents of sessions, and creates upload descriptors for them. */
export const sessionDocuments = Effect.gen(function* () {
  const documents = yield* Documents

  const uploadedKeysOf = ({ documents: requiredDocuments }: VerificationSession) =>
    documents.existingKeys(requiredDocuments.map(({ key }) => key))

  /** Creates new upload descriptors for the missing documents, because earlier descriptors may have expired. */
  const uploadsOf = Effect.fnUntraced(function* (
    { documents: requiredDocuments, identityId, projectId }: VerificationSession,
    uploadedKeys: ReadonlySet<string>
  ) {
    const expiresAt = DateTime.add(yield* DateTime.now, { minutes: UPLOAD_MINUTES })
    return yield* Effect.forEach(
      requiredDocuments.filter(({ key }) => !uploadedKeys.has(key)),
      ({ key, ownerId, type }) =>
        Effect.map(documents.descriptorOf({ key, projectId, identityId, expiresAt }), (descriptor) => ({
          type,
          ownerId,
          descriptor
        }))
    )
  })

  return {
    uploadsOf,
    missingUploads: (session: VerificationSession) =>
      Effect.flatMap(uploadedKeysOf(session), (uploadedKeys) => uploadsOf(session, uploadedKeys)),
    requireAll: (session: VerificationSession) =>
      Effect.flatMap(uploadedKeysOf(session), (uploadedKeys) =>
        requireNoProblem(missingDocuments(session, uploadedKeys))
      )
  }
})
