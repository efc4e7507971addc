import { join } from "node:path"
import type { DocumentFiles } from "@countersign/adapters/identity"
import { PRIVATE_FILE_MODE } from "@countersign/adapters/storage/files"
import { type VerificationSession, Verifications } from "@countersign/core/identity"
import { Effect, FileSystem } from "effect"

/** Writes the documents of a session to a folder, if the user specifies one. `bytes` of a missing document is null. */
export const writeDocuments = Effect.fnUntraced(function* (
  files: DocumentFiles["Service"],
  { documents, id, identityId, projectId }: VerificationSession,
  folder: string | null
) {
  const fs = yield* FileSystem.FileSystem
  if (folder !== null) yield* fs.makeDirectory(folder, { recursive: true, mode: 0o700 })
  const writtenDocuments = yield* Effect.forEach(documents, ({ key, ownerId, type }) =>
    Effect.gen(function* () {
      const content = yield* files.read({ key, identityId })
      const name = [id, ...(ownerId === null ? [] : [ownerId]), type].join("-")
      const path = content === null || folder === null ? null : join(folder, name)
      if (content !== null && path !== null) yield* fs.writeFile(path, content, { mode: PRIVATE_FILE_MODE })
      return { type, ownerId, bytes: content?.length ?? null, path }
    })
  )
  if (writtenDocuments.some(({ bytes }) => bytes !== null))
    yield* (yield* Verifications).recordOpened({ projectId, identityId })
  return writtenDocuments
})
