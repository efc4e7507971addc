import { randomUUID } from "node:crypto"
import { open, readdir, rm, stat, statfs } from "node:fs/promises"
import { join } from "node:path"
import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { Documents } from "@countersign/core/identity"
import { Clock, Context, DateTime, Effect, Layer, Redacted, Stream } from "effect"
import { ensurePrivateFolder, PRIVATE_FILE_MODE } from "../storage/files/index.ts"
import { SubjectKeys } from "../storage/kysely/index.ts"
import {
  type DocumentExists,
  DocumentTooLarge,
  DocumentTypeRefused,
  type UploadFailure,
  UploadRefused,
  UploadsOverloaded
} from "./documentErrors.ts"
import type { DocumentStore, SealedFile } from "./documentStore.ts"
import { encryptInto, openSealed } from "./sealedFile.ts"
import { type UploadLimits, uploadBudget, uploadLimits } from "./uploadBudget.ts"
import { contentTypeOf, fieldsOf, type Policy, policyOf } from "./uploadPolicy.ts"

export const UPLOAD_PATH = "/api/v1/kyc/uploads"

/** Purpose of the key that signs the fields of upload descriptors. */
const UPLOADS = "uploads"
const HEAD_BYTES = 8

/** Receives uploaded documents, and reads them for reviewers, the identity provider and fiat providers. */
export class DocumentFiles extends Context.Service<
  DocumentFiles,
  {
    /** Returns the upload that these signed form fields allow. */
    readonly policyOf: (fields: ReadonlyMap<string, string>) => Effect.Effect<Policy, UploadRefused>
    /**
     * Encrypts the file to a temporary path. Allows one upload per document at a time. `commit` stores the file after
     * the entire upload was read, unless the identity was erased in the meantime. If `commit` is not called, nothing
     * remains when the scope closes.
     */
    readonly receive: <E>(
      policy: Policy,
      contentType: string,
      content: Stream.Stream<Uint8Array, E>
    ) => Effect.Effect<
      { readonly commit: Effect.Effect<void, DocumentExists | UploadRefused | UpstreamUnavailable> },
      E | UploadFailure,
      Scope
    >
    /** Reads a document. Null if it does not exist, or if the key of its identity was destroyed. */
    readonly read: (document: {
      readonly key: string
      readonly identityId: string
    }) => Effect.Effect<Uint8Array | null, UpstreamUnavailable>
  }
>()("@countersign/adapters/identity/DocumentFiles") {}

type Scope = import("effect").Scope.Scope

/** Maximum number of concurrent requests to a remote store. */
const CONCURRENCY = 8

export interface SealedDocumentsOptions {
  /** Folder for uploads in progress. Its files are encrypted. */
  readonly folder: string
  readonly store: DocumentStore
  readonly limits?: UploadLimits
}

const UPLOAD_PREFIX = "upload-"
/** Age in milliseconds after which a file belongs to a killed process. No upload takes that long. */
const ABANDONED_MS = 60 * 60_000

const removeAbandoned = async (folder: string): Promise<void> => {
  const names = await readdir(folder).catch(() => [])
  for (const path of names.filter((name) => name.startsWith(UPLOAD_PREFIX)).map((name) => join(folder, name))) {
    // Another process may have removed the file already.
    const file = await stat(path).catch(() => null)
    if (file !== null && Date.now() - file.mtimeMs > ABANDONED_MS) await rm(path, { force: true })
  }
}

const DISK_RETRY_SECONDS = 60

const diskFullError = () =>
  new UploadsOverloaded({
    reason: "the service's disk has too little free space",
    retryAfterSeconds: DISK_RETRY_SECONDS
  })

/** Converts the error of a full disk to a rejection. Any other failure is a defect. */
const refuseFullDisk = <A>(write: () => Promise<A>): Effect.Effect<A, UploadsOverloaded> =>
  Effect.tryPromise({ try: write, catch: (thrown) => thrown }).pipe(
    Effect.catch((thrown) =>
      ["ENOSPC", "EDQUOT"].includes(Object(thrown).code) ? Effect.fail(diskFullError()) : Effect.die(thrown)
    )
  )

/** Stores documents, each encrypted with the key of its identity. */
export const layer = ({ folder, limits = uploadLimits, store }: SealedDocumentsOptions) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const keys = yield* SubjectKeys
      const signingKey = Effect.map(keys.ensure(UPLOADS), Redacted.value)
      const budget = uploadBudget(limits)
      yield* Effect.promise(() => removeAbandoned(folder))

      const requireFreeSpace = Effect.fnUntraced(function* (maxBytes: number) {
        const { bavail, bsize } = yield* Effect.promise(() => statfs(folder))
        if (bavail * bsize < limits.freeBytes + maxBytes) return yield* diskFullError()
      })

      const erasedRefusal = new UploadRefused({ reason: "the identity's data was erased" })

      /**
       * Stores the document, and removes it again if the identity was erased. An erasure destroys the key before it
       * removes the documents for the last time. So either this check or the erasure removes this document.
       */
      const putUnlessErased = Effect.fnUntraced(function* ({ identityId, key }: Policy, file: SealedFile) {
        yield* store.put(key, file)
        if ((yield* keys.find(identityId)) !== null) return
        yield* store.remove(key)
        return yield* erasedRefusal
      })

      const documents = Documents.of({
        problem: null,
        descriptorOf: Effect.fnUntraced(function* ({ expiresAt, ...document }) {
          const nowMs = yield* Clock.currentTimeMillis
          const expiresAtMs = DateTime.toEpochMillis(expiresAt)
          return { url: UPLOAD_PATH, fields: fieldsOf(yield* signingKey, { ...document, nowMs, expiresAtMs }) }
        }),
        existingKeys: (all) =>
          Effect.map(
            Effect.filter(all, (key) => store.has(key), { concurrency: CONCURRENCY }),
            (existingKeys) => new Set(existingKeys)
          ),
        remove: (all) => Effect.forEach(all, (key) => store.remove(key), { concurrency: CONCURRENCY, discard: true })
      })

      const receive = Effect.fnUntraced(function* <E>(
        policy: Policy,
        contentType: string,
        content: Stream.Stream<Uint8Array, E>
      ) {
        const refusedType = new DocumentTypeRefused({ accepted: policy.contentTypes.join(", ") })
        if (!policy.contentTypes.includes(contentType)) return yield* refusedType
        const identityKey = yield* keys.find(policy.identityId)
        // The key was created together with the session, so a missing key means that the identity was erased.
        if (identityKey === null) return yield* erasedRefusal
        const key = Redacted.value(identityKey)
        const pendingUpload = budget.begin(policy)
        if (pendingUpload._tag !== "Pending") return yield* pendingUpload
        yield* Effect.addFinalizer(() => Effect.sync(pendingUpload.end))
        ensurePrivateFolder(folder)
        yield* requireFreeSpace(policy.maxBytes)
        const temporaryPath = join(folder, `${UPLOAD_PREFIX}${randomUUID()}`)
        yield* Effect.addFinalizer(() => Effect.promise(() => rm(temporaryPath, { force: true })))
        const file = yield* Effect.acquireRelease(
          refuseFullDisk(() => open(temporaryPath, "wx", PRIVATE_FILE_MODE)),
          (opened) => Effect.promise(() => opened.close())
        )
        const encryption = yield* refuseFullDisk(() => encryptInto(file, key, policy.key))
        let bytes = 0
        let head: Uint8Array = new Uint8Array()
        yield* Stream.runForEach(content, (piece) =>
          Effect.gen(function* () {
            bytes += piece.length
            if (bytes > policy.maxBytes) return yield* new DocumentTooLarge({ maxBytes: policy.maxBytes })
            const refusal = pendingUpload.grow(piece.length)
            if (refusal !== null) return yield* refusal
            if (head.length < HEAD_BYTES) head = Buffer.concat([head, piece]).subarray(0, HEAD_BYTES)
            yield* refuseFullDisk(() => encryption.write(piece))
          })
        )
        if (contentTypeOf(head) !== contentType) return yield* refusedType
        const sealedFile = yield* refuseFullDisk(() => encryption.end())
        return { commit: putUnlessErased(policy, { path: temporaryPath, ...sealedFile }) }
      })

      const files = DocumentFiles.of({
        policyOf: Effect.fnUntraced(function* (fields) {
          const policy = policyOf(yield* signingKey, fields, yield* Clock.currentTimeMillis)
          if ("refusal" in policy) return yield* new UploadRefused({ reason: policy.refusal })
          return policy
        }),
        receive,
        read: Effect.fnUntraced(function* ({ identityId, key }) {
          const identityKey = yield* keys.find(identityId)
          const sealedBytes = identityKey === null ? null : yield* store.read(key)
          if (identityKey === null || sealedBytes === null) return null
          return yield* Effect.try({
            try: () => openSealed(sealedBytes, Redacted.value(identityKey), key),
            catch: () =>
              new UpstreamUnavailable({ upstream: "The document store", reason: "it returned a damaged document" })
          })
        })
      })
      return Context.make(Documents, documents).pipe(Context.add(DocumentFiles, files))
    })
  )

const dieWithoutFolder = Effect.die(new Error("This service stores no documents"))

/** Provides the document services if no folder is configured: uploads are rejected, and no documents exist. */
export const layerNone = (problem: string) =>
  Layer.succeedContext(
    Context.make(
      Documents,
      Documents.of({
        problem,
        descriptorOf: () => dieWithoutFolder,
        existingKeys: () => Effect.succeed(new Set()),
        remove: () => Effect.void
      })
    ).pipe(
      Context.add(
        DocumentFiles,
        DocumentFiles.of({
          policyOf: () => Effect.fail(new UploadRefused({ reason: problem })),
          receive: () => dieWithoutFolder,
          read: () => Effect.succeed(null)
        })
      )
    )
  )
