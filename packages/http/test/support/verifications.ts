import { Verifications } from "@countersign/core/identity"
import { assert } from "@effect/vitest"
import { aBusiness, anOwner } from "../../../core/src/identity/verification/verification.fixture.ts"
import type { TestService } from "./testService.ts"

export const BUSINESSES = "/api/v1/kyc/business-verification-sessions/standard"
export const INDIVIDUALS = "/api/v1/kyc/individual-verification-sessions/standard"

const { documentId: _, ...person } = anOwner()
const { owners: _owners, ...business } = aBusiness()

/** Data of a person without a document number, and of a business without its owners. */
export { business, person }

/** Describes how to upload a document. */
export interface Descriptor {
  readonly url: string
  readonly fields: Readonly<Record<string, string>>
}

/** Returns all upload descriptors in a response, at any depth. */
export const descriptorsIn = (value: unknown): ReadonlyArray<Descriptor> => {
  if (typeof value !== "object" || value === null) return []
  if ("fields" in value && "url" in value) return [value as Descriptor]
  return Object.values(value).flatMap(descriptorsIn)
}

export const formOf = (
  { fields }: Descriptor,
  file: Uint8Array,
  type = "application/pdf",
  changes: Readonly<Record<string, string>> = {}
): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries({ ...fields, ...changes })) form.append(name, value)
  form.append("file", new Blob([Buffer.from(file)], { type }), "file")
  return form
}

export const PDF = Buffer.from("%PDF-1.7 of the person")

export const uploadDocument = async (descriptor: Descriptor) => {
  const { status } = await fetch(descriptor.url, { method: "POST", body: formOf(descriptor, PDF) })
  assert.strictEqual(status, 204)
}

export const startSession = async (service: TestService, path: string, body: object) => {
  const startResponse = await service.request("POST", path, body)
  assert.strictEqual(startResponse.status, 201, JSON.stringify(startResponse.body))
  return startResponse.body
}

/** Starts a session, uploads all documents that it requires, and submits it. */
export const submitVerification = async (service: TestService, path: string, body: object) => {
  const startResponse = await startSession(service, path, body)
  for (const descriptor of descriptorsIn(startResponse)) await uploadDocument(descriptor)
  const processResponse = await service.request("POST", `${path}/${startResponse.session.id}/process`)
  assert.strictEqual(processResponse.status, 204, JSON.stringify(processResponse.body))
  return startResponse
}

/** Approves a session, or rejects it for a reason. */
export const decideSession = (service: TestService, id: string, reason: string | null) =>
  service.run(
    Verifications.use((verifications) =>
      verifications.decide(service.project.id, id, reason === null ? { _tag: "Approve" } : { _tag: "Reject", reason })
    )
  )
