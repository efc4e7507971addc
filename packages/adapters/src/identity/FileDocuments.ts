import { randomUUID } from "node:crypto"
import { access, link, open, rm } from "node:fs/promises"
import { join } from "node:path"
import { Documents } from "@countersign/core/identity"
import { Clock, Context, DateTime, Effect, Layer, Redacted, Schema, Stream } from "effect"
import { ensurePrivateFolder, PRIVATE_FILE_MODE } from "../files/index.ts"
import { SubjectKeys } from "../kysely/index.ts"
import { openFile, sealInto } from "./sealedFile.ts"
import { contentTypeOf, fieldsOf, type Policy, policyOf } from "./uploadPolicy.ts"

export const UPLOAD_PATH = "/api/v1/kyc/uploads"

/** Under which the fields of descriptors are signed. */
const UPLOADS = "uploads"
const HEAD_BYTES = 8

export class UploadRefused extends Schema.TaggedError<UploadRefused>("adapters/identity/UploadRefused")(
  "UPLOAD_REFUSED",
  { reason: Schema.String }
) {
  override get message(): string {
    return `The upload is refused: ${this.reason}.`
  }
}

export class DocumentTooLarge extends Schema.TaggedError<DocumentTooLarge>("adapters/identity/DocumentTooLarge")(
  "DOCUMENT_TOO_LARGE",
  { maxBytes: Schema.Finite }
) {
  override get message(): string {
    return `The document has more than ${this.maxBytes} bytes. Send a smaller one.`
  }
}

export class DocumentTypeRefused extends Schema.TaggedError<DocumentTypeRefused>(
  "adapters/identity/DocumentTypeRefused"
)("DOCUMENT_TYPE_NOT_ACCEPTED", { accepted: Schema.String }) {
  override get message(): string {
    return `The document is of none of the accepted types, by its content or by the type that is said: ${this.accepted}.`
  }
}

export class DocumentExists extends Schema.TaggedError<DocumentExists>("adapters/identity/DocumentExists")(
  "DOCUMENT_ALREADY_UPLOADED",
  {}
) {
  override get message(): string {
    return "The document was uploaded before. It is written once."
  }
}

export type UploadFailure = UploadRefused | DocumentTooLarge | DocumentTypeRefused | DocumentExists

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
    ) => Effect.Effect<{ readonly commit: Effect.Effect<void, DocumentExists> }, E | UploadFailure, Scope>
    /** Null where it is not there, or the key of its identity was destroyed. */
    readonly read: (document: { readonly key: string; readonly identityId: string }) => Effect.Effect<Uint8Array | null>
  }
>()("@countersign/adapters/identity/DocumentFiles") {}

type Scope = import("effect").Scope.Scope

const isThere = (path: string) =>
  Effect.promise(() =>
    access(path).then(
      () => true,
      () => false
    )
  )

const isCode = (thrown: unknown, code: string): boolean => Object(thrown).code === code

/** Documents in a folder, each sealed with the key of its identity. */
export const layer = ({ folder }: { readonly folder: string }) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const keys = yield* SubjectKeys
      // Keys of documents are ours: ids and words, with slashes between.
      const pathOf = (key: string) => join(folder, key.replaceAll("/", "."))
      const signingKey = Effect.map(keys.ensure(UPLOADS), Redacted.value)

      const documents = Documents.of({
        problem: null,
        descriptorOf: Effect.fnUntraced(function* ({ expiresAt, identityId, key }) {
          const nowMs = yield* Clock.currentTimeMillis
          const expiresAtMs = DateTime.toEpochMillis(expiresAt)
          return { url: UPLOAD_PATH, fields: fieldsOf(yield* signingKey, { key, identityId, nowMs, expiresAtMs }) }
        }),
        present: (all) =>
          Effect.map(
            Effect.filter(all, (key) => isThere(pathOf(key))),
            (found) => new Set(found)
          ),
        remove: (all) =>
          Effect.forEach(all, (key) => Effect.promise(() => rm(pathOf(key), { force: true })), { discard: true })
      })

      const receive = Effect.fnUntraced(function* <E>(
        policy: Policy,
        contentType: string,
        content: Stream.Stream<Uint8Array, E>
      ) {
        const refusedType = new DocumentTypeRefused({ accepted: policy.contentTypes.join(", ") })
        if (!policy.contentTypes.includes(contentType)) return yield* refusedType
        const key = Redacted.value(yield* keys.ensure(policy.identityId))
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
        yield* Effect.promise(() => sealing.end())
        return {
          commit: Effect.tryPromise({
            try: () => link(beside, pathOf(policy.key)),
            catch: (thrown) => thrown
          }).pipe(
            Effect.catch((thrown) =>
              isCode(thrown, "EEXIST") ? Effect.fail(new DocumentExists()) : Effect.die(thrown)
            )
          )
        }
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
          if (subject === null || !(yield* isThere(pathOf(key)))) return null
          return yield* Effect.promise(() => openFile(pathOf(key), Redacted.value(subject), key))
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
