import { assert, layer as withLayer } from "@effect/vitest"
import { DateTime, Effect, type Layer } from "effect"
import { aUuid } from "../../foundation/primitives/ids.fixture.ts"
import { aProjectId } from "../../tenancy/projects/Project.fixture.ts"
import { PersonalVault } from "../personal/PersonalVault.ts"
import { Documents, type UploadDescriptor } from "./Documents.ts"

/** Uploads a file as the holder of a descriptor would. Returns null, or the reason for the rejection. */
export type Upload<R> = (
  descriptor: UploadDescriptor,
  file: Uint8Array,
  type: string
) => Effect.Effect<string | null, never, R>
export type ReadDocument<R> = (document: {
  readonly key: string
  readonly identityId: string
}) => Effect.Effect<Uint8Array | null, never, R>

const PDF = Buffer.concat([Buffer.from("%PDF-1.7 "), Buffer.alloc(300_000, 7)])

/** Contract tests that every `Documents` must pass. */
export const documentsContract = <R, E>(
  name: string,
  layer: Layer.Layer<Documents | PersonalVault | R, E>,
  { read, upload }: { readonly upload: Upload<R>; readonly read: ReadDocument<R> }
): void => {
  withLayer(layer, { excludeTestServices: true })(`Documents: ${name}`, (it) => {
    const aDocument = Effect.gen(function* () {
      const document = { key: `kyc_${aUuid()}/front`, projectId: aProjectId(), identityId: `ind_${aUuid()}` }
      yield* (yield* PersonalVault).seal(document.identityId, "a person")
      const expiresAt = DateTime.add(yield* DateTime.now, { minutes: 15 })
      const descriptor = yield* (yield* Documents).descriptorOf({ ...document, projectId: aProjectId(), expiresAt })
      return { ...document, descriptor }
    })

    it.effect("stores an uploaded document unchanged", () =>
      Effect.gen(function* () {
        const documents = yield* Documents
        const { descriptor, identityId, key } = yield* aDocument
        assert.isNull(documents.problem)
        assert.strictEqual(descriptor.fields.key, key)
        assert.isEmpty([...(yield* documents.existingKeys([key, `${key}2`]))])
        assert.isNull(yield* upload(descriptor, PDF, "application/pdf"))
        assert.deepStrictEqual([...(yield* documents.existingKeys([key, `${key}2`]))], [key])
        assert.isTrue(PDF.equals((yield* read({ key, identityId }))!))
        assert.isNull(yield* read({ key: `${key}2`, identityId }))
      })
    )

    it.effect("stores a document once, also with concurrent uploads", () =>
      Effect.gen(function* () {
        const { descriptor } = yield* aDocument
        const outcomes = yield* Effect.all(
          Array.from({ length: 5 }, () => upload(descriptor, PDF, "application/pdf")),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(
          outcomes.filter((outcome) => outcome === null),
          1
        )
        const otherOutcomes = outcomes.filter((outcome) => outcome !== null)
        assert.isEmpty(otherOutcomes.filter((id) => id !== "UPLOAD_IN_PROGRESS" && id !== "DOCUMENT_ALREADY_UPLOADED"))
        assert.strictEqual(yield* upload(descriptor, PDF, "application/pdf"), "DOCUMENT_ALREADY_UPLOADED")
      })
    )

    it.effect("stores nothing from a rejected upload", () =>
      Effect.gen(function* () {
        const { descriptor, key } = yield* aDocument
        assert.strictEqual(
          yield* upload(descriptor, Buffer.from("<html>"), "application/pdf"),
          "DOCUMENT_TYPE_NOT_ACCEPTED"
        )
        assert.isEmpty([...(yield* (yield* Documents).existingKeys([key]))])
      })
    )

    it.effect("deletes only the given documents", () =>
      Effect.gen(function* () {
        const documents = yield* Documents
        const [first, second] = [yield* aDocument, yield* aDocument]
        for (const { descriptor } of [first, second]) yield* upload(descriptor, PDF, "application/pdf")
        for (let times = 0; times < 2; times += 1) yield* documents.remove([first.key, `${first.key}2`])
        assert.deepStrictEqual([...(yield* documents.existingKeys([first.key, second.key]))], [second.key])
        assert.isNull(yield* read(first))
      })
    )

    it.effect("accepts and returns no documents for an erased person", () =>
      Effect.gen(function* () {
        const { descriptor, identityId, key } = yield* aDocument
        const otherDocument = yield* aDocument
        yield* upload(descriptor, PDF, "application/pdf")
        const vault = yield* PersonalVault
        for (const id of [identityId, otherDocument.identityId]) assert.isTrue(yield* vault.erase(id))
        assert.isNull(yield* read({ key, identityId }))
        assert.strictEqual(yield* upload(otherDocument.descriptor, PDF, "application/pdf"), "UPLOAD_REFUSED")
      })
    )
  })
}
