import { randomUUID } from "node:crypto"
import { open, rm } from "node:fs/promises"
import { join } from "node:path"
import type { UpstreamUnavailable } from "@countersign/core/errors"
import { Documents } from "@countersign/core/identity"
import { Clock, Context, DateTime, Effect, Layer, Redacted, Stream } from "effect"
import { ensurePrivateFolder, PRIVATE_FILE_MODE } from "../files/index.ts"
import { SubjectKeys } from "../kysely/index.ts"
import {
  type DocumentExists,
  DocumentTooLarge,
  DocumentTypeRefused,
  type UploadFailure,
  UploadRefused
} from "./documentErrors.ts"
import type { DocumentStore } from "./documentStore.ts"
import { openSealed, sealInto } from "./sealedFile.ts"
import { contentTypeOf, fieldsOf, type Policy, policyOf } from "./uploadPolicy.ts"

export const UPLOAD_PATH = "/api/v1/kyc/uploads"

/** Under which the fields of descriptors are signed. */
const UPLOADS = "uploads"
const HEAD_BYTES = 8

/** Takes documents from uploads, and shows them to a reviewer. */
export class DocumentFiles extends Context.Service<
  DocumentFiles,
  {
    /** What the fields of an upload allow. */
    readonly policyOf: (fields: ReadonlyMap<string, string>) => Effect.Effect<Policy, UploadRefused>
    /**
     * Seals the file beside its place. `commit` puts it there once the whole upload was read; without it nothing is kept
     * after the scope.
     */
    readonly receive: <E>(
      policy: Policy,
      contentType: string,
      content: Stream.Stream<Uint8Array, E>
    ) => Effect.Effect<
      { readonly commit: Effect.Effect<void, DocumentExists | UpstreamUnavailable> },
      E | UploadFailure,
      Scope
    >
    /** Null where it is not there, or the key of its identity was destroyed. */
    readonly read: (document: {
      readonly key: string
      readonly identityId: string
    }) => Effect.Effect<Uint8Array | null, UpstreamUnavailable>
  }
>()("@countersign/adapters/identity/DocumentFiles") {}

type Scope = import("effect").Scope.Scope

/** Asked for at once of a store over the network. */
const CONCURRENCY = 8

export interface SealedDocumentsOptions {
  /** In which uploads are sealed while they are received. */
  readonly folder: string
  readonly store: DocumentStore
}

/** Documents in a store, each sealed with the key of its identity. */
export const layer = ({ folder, store }: SealedDocumentsOptions) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const keys = yield* SubjectKeys
      const signingKey = Effect.map(keys.ensure(UPLOADS), Redacted.value)

      const documents = Documents.of({
        problem: null,
        descriptorOf: Effect.fnUntraced(function* ({ expiresAt, ...document }) {
          const nowMs = yield* Clock.currentTimeMillis
          const expiresAtMs = DateTime.toEpochMillis(expiresAt)
          return { url: UPLOAD_PATH, fields: fieldsOf(yield* signingKey, { ...document, nowMs, expiresAtMs }) }
        }),
        present: (all) =>
          Effect.map(
            Effect.filter(all, (key) => store.has(key), { concurrency: CONCURRENCY }),
            (found) => new Set(found)
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
        const subject = yield* keys.find(policy.identityId)
        // The key was made with the session.
        if (subject === null) return yield* new UploadRefused({ reason: "the data of this identity were erased" })
        const key = Redacted.value(subject)
        ensurePrivateFolder(folder)
        const beside = join(folder, `upload-${randomUUID()}`)
        yield* Effect.addFinalizer(() => Effect.promise(() => rm(beside, { force: true })))
        const file = yield* Effect.acquireRelease(
          Effect.promise(() => open(beside, "wx", PRIVATE_FILE_MODE)),
          (opened) => Effect.promise(() => opened.close())
        )
        const sealing = yield* Effect.promise(() => sealInto(file, key, policy.key))
        let bytes = 0
        let head: Uint8Array = new Uint8Array()
        yield* Stream.runForEach(content, (piece) =>
          Effect.gen(function* () {
            bytes += piece.length
            if (bytes > policy.maxBytes) return yield* new DocumentTooLarge({ maxBytes: policy.maxBytes })
            if (head.length < HEAD_BYTES) head = Buffer.concat([head, piece]).subarray(0, HEAD_BYTES)
            yield* Effect.promise(() => sealing.write(piece))
          })
        )
        if (contentTypeOf(head) !== contentType) return yield* refusedType
        const sealed = yield* Effect.promise(() => sealing.end())
        return { commit: store.put(policy.key, { path: beside, ...sealed }) }
      })

      const files = DocumentFiles.of({
        policyOf: Effect.fnUntraced(function* (fields) {
          const policy = policyOf(yield* signingKey, fields, yield* Clock.currentTimeMillis)
          if ("refusal" in policy) return yield* new UploadRefused({ reason: policy.refusal })
          return policy
        }),
        receive,
        read: Effect.fnUntraced(function* ({ identityId, key }) {
          const subject = yield* keys.find(identityId)
          const sealed = subject === null ? null : yield* store.read(key)
          return subject === null || sealed === null ? null : openSealed(sealed, Redacted.value(subject), key)
        })
      })
      return Context.make(Documents, documents).pipe(Context.add(DocumentFiles, files))
    })
  )

const notKept = Effect.die(new Error("No documents are kept"))

/** Where the operator has named no folder. */
export const layerNone = (problem: string) =>
  Layer.succeedContext(
    Context.make(
      Documents,
      Documents.of({
        problem,
        descriptorOf: () => notKept,
        present: () => Effect.succeed(new Set()),
        remove: () => Effect.void
      })
    ).pipe(
      Context.add(
        DocumentFiles,
        DocumentFiles.of({
          policyOf: () => Effect.fail(new UploadRefused({ reason: problem })),
          receive: () => notKept,
          read: () => Effect.succeed(null)
        })
      )
    )
  )
