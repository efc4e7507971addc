import { readdirSync, readFileSync } from "node:fs"
import { request } from "node:http"
import { join } from "node:path"
import { sandboxDatabaseFile } from "@countersign/adapters/storage/home"
import { CustomerLinks } from "@countersign/core/fiat"
import { IndividualId, PersonalVault, Verifications, VerifiedIndividuals } from "@countersign/core/identity"
import { DataSubjects } from "@countersign/core/tenancy/data-subjects"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { Clock, DateTime, Effect } from "effect"
import { waitUntil } from "../../core/test/support/until.ts"
import { registerOneOfEachKind } from "./support/accounts.ts"
import { startTestService, type TestService } from "./support/testService.ts"
import {
  business as anyBusiness,
  person as anyPerson,
  BUSINESSES,
  type Descriptor,
  decideSession,
  formOf,
  INDIVIDUALS,
  startSession
} from "./support/verifications.ts"

/** Tests verifications of persons and businesses over HTTP, with real files. */

const PDF = Buffer.from("%PDF-1.7 Geheimnis von Ana")
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])

const person = {
  ...anyPerson,
  firstName: "Anaquelle",
  lastName: "Souzinhares",
  documentId: "FX9871234",
  address: "Rua das Hortensias 12"
}
const business = {
  ...anyBusiness,
  legalName: "Padaria Unverwechselbar Ltda",
  email: "contato@unverwechselbar.example",
  streetLine1: "Rua das Hortensias 12",
  owners: [person]
}

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const startVerification = (path: string, body: object) => startSession(service, path, body)

const sendForm = async (descriptor: Descriptor, form: FormData) => {
  const response = await fetch(descriptor.url, { method: "POST", body: form })
  return {
    status: response.status,
    id: response.status === 204 ? null : ((await response.json()) as { readonly id: string }).id
  }
}

const uploadDocument = (descriptor: Descriptor, file: Uint8Array = PDF, type = "application/pdf") =>
  sendForm(descriptor, formOf(descriptor, file, type))

const decide = (id: string, reason: string | null) => decideSession(service, id, reason)

const isVerified = (id: string) =>
  service.run(VerifiedIndividuals.use((individuals) => individuals.isVerified(service.project.id, id)))

const assertRejects = async (promise: Promise<unknown>, message: RegExp) => {
  const error = await promise.then(
    () => null,
    (cause: unknown) => cause
  )
  assert.match(String(error), message)
}

describe("the verification of a person", () => {
  it("ends with the reviewer's decision, once every document is uploaded", async () => {
    const startResponse = await startVerification(INDIVIDUALS, { ...person, metadata: { customer: "7" } })
    const { session } = startResponse
    assert.deepStrictEqual(session.metadata, { customer: "7" })
    const path = `${INDIVIDUALS}/${session.id}`
    assert.include(session, { status: "PENDING", firstName: "Anaquelle", country: "BRAZIL", reason: null })
    assert.isFalse(await isVerified(session.individualId))

    const earlyResponse = await service.request("POST", `${path}/process`)
    assert.strictEqual(earlyResponse.status, 400)
    assert.lengthOf(earlyResponse.body.errors, 3)

    for (const document of ["frontDocumentUpload", "backDocumentUpload", "proofOfAddressDocumentUpload"]) {
      assert.deepStrictEqual(await uploadDocument(startResponse[document]), { status: 204, id: null })
    }
    assert.strictEqual((await service.request("POST", `${path}/process`)).status, 204)
    assert.strictEqual((await service.request("POST", `${path}/process`)).status, 204)
    assert.strictEqual((await service.request("GET", path)).body.session.status, "IN_REVIEW")

    await decide(session.id, null)
    assert.strictEqual((await service.request("GET", path)).body.session.status, "COMPLETED")
    assert.isTrue(await isVerified(session.individualId))
    assert.strictEqual((await service.request("POST", `${path}/process`)).body.id, "VERIFICATION_SESSION_STATE")
  })

  it("can be repeated after a refusal, for the same individual", async () => {
    const otherPerson = { ...person, documentId: "XY55" }
    const firstResponse = await startVerification(INDIVIDUALS, otherPerson)
    for (const document of ["frontDocumentUpload", "backDocumentUpload", "proofOfAddressDocumentUpload"]) {
      await uploadDocument(firstResponse[document], PNG, "image/png")
    }
    await service.request("POST", `${INDIVIDUALS}/${firstResponse.session.id}/process`)
    await decide(firstResponse.session.id, "The picture is dark")
    const { session } = (await service.request("GET", `${INDIVIDUALS}/${firstResponse.session.id}`)).body
    assert.include(session, { status: "FAILED", reason: "The picture is dark" })
    const secondResponse = await startVerification(INDIVIDUALS, otherPerson)
    assert.strictEqual(secondResponse.session.individualId, session.individualId)
    assert.notStrictEqual(secondResponse.session.id, session.id)
  })

  it("can be started again after the operator has revoked it", async () => {
    const firstSession = await completeVerification("REVOKED1")
    const startAgain = () => service.request("POST", INDIVIDUALS, { ...person, documentId: "REVOKED1" })
    assert.strictEqual((await startAgain()).body.id, "VERIFICATION_SESSION_STATE")
    const individualId = IndividualId.make(firstSession.individualId)
    await service.run(VerifiedIndividuals.use((individuals) => individuals.revoke(service.project.id, individualId)))
    const { body, status } = await startAgain()
    assert.strictEqual(status, 201, JSON.stringify(body))
    assert.strictEqual(body.session.individualId, firstSession.individualId)
  })

  it("creates one identity per document, for each spelling of its number and of the name", async () => {
    const { session } = await startVerification(INDIVIDUALS, { ...person, documentId: "01234567890" })
    const spellings = [
      "01234567890",
      "1234567890",
      "012.345.678-90",
      "012345678/90",
      "0-1-2-3-4-5-6-7-8-9-0",
      "0001234567890"
    ]
    for (const documentCategory of ["PASSPORT", "DRIVERS_LICENSE", "IDENTITY_CARD"]) {
      for (const documentId of spellings) {
        const { body, status } = await service.request("POST", INDIVIDUALS, { ...person, documentId, documentCategory })
        assert.deepStrictEqual([status, body.id], [409, "VERIFICATION_SESSION_STATE"], documentId)
        assert.match(body.message, new RegExp(`${session.id} for this document, with the status PENDING`, "u"))
        assert.notInclude(body.message, documentId)
      }
    }
    const requests = Array.from({ length: 6 }, (_, index) =>
      service.request("POST", INDIVIDUALS, { ...person, documentId: `AT${"-".repeat(index)}ONCE` })
    )
    const statuses = (await Promise.all(requests)).map(({ status }) => status)
    assert.deepStrictEqual(statuses.toSorted(), [201, 409, 409, 409, 409, 409])
    const otherProject = await service.newProject(null)
    const otherProjectResponse = await service.request(
      "POST",
      INDIVIDUALS,
      { ...person, documentId: "01234567890" },
      {
        "x-api-key": otherProject.apiKey
      }
    )
    assert.strictEqual(otherProjectResponse.status, 201)
    assert.notStrictEqual(otherProjectResponse.body.session.individualId, session.individualId)
  })

  it("creates one identity for an owner of two businesses who is also verified as an individual", async () => {
    const owner = { ...person, documentId: "OWNER-1" }
    const businessDocumentIds = ["11444777000161", "19131243000197"]
    const ownerIds: Array<string> = []
    for (const documentId of businessDocumentIds) {
      const startResponse = await startVerification(BUSINESSES, { ...business, documentId, owners: [owner] })
      ownerIds.push(startResponse.ownersDocuments[0].ownerId)
    }
    const { session } = await startVerification(INDIVIDUALS, {
      ...owner,
      documentId: "owner1",
      documentCategory: "IDENTITY_CARD"
    })
    assert.deepStrictEqual(ownerIds, [session.individualId, session.individualId])
  })

  it("does not share an identity with a person whose document of another type has the same number", async () => {
    const [passport, license] = [
      { ...person, documentId: "AB998877" },
      { ...person, documentId: "AB998877", documentCategory: "DRIVERS_LICENSE", birthDate: "1971-02-03" }
    ]
    const firstResponse = await startVerification(INDIVIDUALS, passport)
    const secondResponse = await startVerification(INDIVIDUALS, license)
    assert.notStrictEqual(firstResponse.session.individualId, secondResponse.session.individualId)
    // Starts the first person with another category and with another birth date, and then the second person again.
    const conflictingRequests = [
      { ...passport, documentCategory: "IDENTITY_CARD" },
      { ...passport, birthDate: "1971-02-03" },
      license
    ]
    for (const request of conflictingRequests) {
      assert.strictEqual((await service.request("POST", INDIVIDUALS, request)).status, 409, JSON.stringify(request))
    }
  })

  it("is rejected with a list of every problem", async () => {
    const { body, status } = await service.request("POST", INDIVIDUALS, {
      ...person,
      birthDate: "2020-01-01",
      documentCountry: "ATLANTIS"
    })
    assert.strictEqual(status, 400)
    assert.strictEqual(body.id, "BAD_REQUEST")
    const minorResponse = await service.request("POST", INDIVIDUALS, { ...person, birthDate: "2020-01-01" })
    assert.match(minorResponse.body.message, /at least 18 years/u)
  })

  it("is readable for its own project only, with keys that have the scope", async () => {
    const { session } = await startVerification(INDIVIDUALS, { ...person, documentId: "KNOWN1" })
    const otherProject = await service.newProject(null)
    const individualResponse = await service.request("GET", `${INDIVIDUALS}/${session.id}`, undefined, {
      "x-api-key": otherProject.apiKey
    })
    assert.strictEqual(individualResponse.body.id, "VERIFICATION_SESSION_NOT_FOUND")
    const businessResponse = await service.request("GET", `${BUSINESSES}/${session.id}`)
    assert.strictEqual(businessResponse.body.id, "VERIFICATION_SESSION_NOT_FOUND")
    const readerProject = await service.newProject(null, ["read"])
    const refusal = await service.request("POST", INDIVIDUALS, person, { "x-api-key": readerProject.apiKey })
    assert.strictEqual(refusal.body.id, "FORBIDDEN_SCOPE")
  })
})

describe("the verification of a business", () => {
  it("is completed with its owners", async () => {
    const startResponse = await startVerification(BUSINESSES, { ...business, metadata: { order: "7" } })
    const { ownersDocuments, session } = startResponse
    assert.include(session, { status: "PENDING", legalName: business.legalName, address: business.streetLine1 })
    assert.deepStrictEqual(session.document, {
      id: business.documentId,
      type: "CNPJ",
      category: "BUSINESS_REGISTRATION"
    })
    assert.lengthOf(ownersDocuments, 1)
    const [owner] = ownersDocuments
    assert.strictEqual(owner.ownerDocumentId, person.documentId)
    const descriptors: ReadonlyArray<Descriptor> = [
      startResponse.proofOfAddressDocumentUpload,
      startResponse.socialContractDocumentUpload,
      owner.frontDocumentUpload,
      owner.backDocumentUpload,
      owner.proofOfAddressDocumentUpload
    ]
    for (const descriptor of descriptors) assert.strictEqual((await uploadDocument(descriptor)).status, 204)
    assert.strictEqual((await service.request("POST", `${BUSINESSES}/${session.id}/process`)).status, 204)
    await decide(session.id, null)
    for (const id of [owner.ownerId, session.businessId]) assert.isTrue(await isVerified(id))
    const sessionResponse = await service.request("GET", `${BUSINESSES}/${session.id}`)
    assert.strictEqual(sessionResponse.body.session.status, "COMPLETED")
    const limitsResponse = await service.request("GET", `/api/v1/kyc/identities/${session.businessId}/financial-limits`)
    assert.strictEqual(limitsResponse.body.identityType, "business")
    const limitsByType = new Map(
      limitsResponse.body.limits.map((limit: { readonly type: string }) => [limit.type, limit])
    )
    assert.deepStrictEqual(limitsByType.get("PIX_QR_CODE"), {
      ...Object(limitsByType.get("PIX_DEPOSIT")),
      type: "PIX_QR_CODE"
    })
  })

  it("is completed once an operator has approved each owner and the business, and fails with the first refusal", async () => {
    const owners = ["T1", "T2"].map((documentId) => ({ ...person, documentId }))
    const submitForReview = async (documentId: string, businessOwners: ReadonlyArray<object>) => {
      const startResponse = await startVerification(BUSINESSES, { ...business, documentId, owners: businessOwners })
      const descriptors: ReadonlyArray<Descriptor> = [
        startResponse.proofOfAddressDocumentUpload,
        startResponse.socialContractDocumentUpload,
        ...startResponse.ownersDocuments.flatMap((owner: Record<string, Descriptor>) => [
          owner.frontDocumentUpload,
          owner.backDocumentUpload,
          owner.proofOfAddressDocumentUpload
        ])
      ]
      for (const descriptor of descriptors) assert.strictEqual((await uploadDocument(descriptor)).status, 204)
      assert.strictEqual(
        (await service.request("POST", `${BUSINESSES}/${startResponse.session.id}/process`)).status,
        204
      )
      const ids = startResponse.ownersDocuments.map(({ ownerId }: { readonly ownerId: string }) => ownerId)
      return {
        id: startResponse.session.id as string,
        owners: ids as ReadonlyArray<string>,
        business: startResponse.session.businessId
      }
    }
    const reviewPart = (id: string, ownerId: string | null, reason: string | null = null) =>
      service.run(
        Verifications.use((verifications) =>
          verifications.decidePart(
            service.project.id,
            id,
            ownerId,
            reason === null ? { _tag: "Approve" } : { _tag: "Reject", reason }
          )
        )
      )
    const reviewedBusiness = await submitForReview("00000000000191", owners)
    const [firstOwner, secondOwner] = reviewedBusiness.owners
    assert.strictEqual((await reviewPart(reviewedBusiness.id, firstOwner!)).status, "IN_REVIEW")
    assert.strictEqual((await reviewPart(reviewedBusiness.id, firstOwner!)).status, "IN_REVIEW")
    assert.strictEqual((await reviewPart(reviewedBusiness.id, null)).status, "IN_REVIEW")
    for (const id of [firstOwner!, reviewedBusiness.business]) assert.isFalse(await isVerified(id))
    await assertRejects(
      reviewPart(reviewedBusiness.id, "own_stranger"),
      new RegExp(`no owner own_stranger.*${secondOwner}`, "u")
    )
    assert.strictEqual((await reviewPart(reviewedBusiness.id, secondOwner!)).status, "COMPLETED")
    for (const id of [...reviewedBusiness.owners, reviewedBusiness.business]) assert.isTrue(await isVerified(id))

    const otherOwners = ["T3", "T4"].map((documentId) => ({ ...person, documentId }))
    const otherBusiness = await submitForReview("12ABC34501DE35", otherOwners)
    await reviewPart(otherBusiness.id, otherBusiness.owners[0]!)
    const rejectedSession = await reviewPart(otherBusiness.id, otherBusiness.owners[1]!, "The picture is dark")
    assert.deepInclude(rejectedSession, {
      status: "FAILED",
      reason: `Owner ${otherBusiness.owners[1]}: The picture is dark`
    })
    await assertRejects(reviewPart(otherBusiness.id, null), /is FAILED/u)
    for (const id of otherBusiness.owners) assert.isFalse(await isVerified(id))
  })

  it.each([
    ["a hundred owners", { owners: Array.from({ length: 100 }, (_, i) => ({ ...person, documentId: `D${i}` })) }],
    ["no owner", { owners: [] }],
    ["a number that checks wrong", { documentId: "33000167000102" }],
    ["letters in its number", { documentId: "33.000.167/0001-01" }],
    ["an owner twice", { owners: [person, person] }],
    ["an unknown country", { country: "ATLANTIS" }]
  ])("is rejected with %s", async (_, changes) => {
    assert.strictEqual((await service.request("POST", BUSINESSES, { ...business, ...changes })).status, 400)
  })
})

describe("an upload", () => {
  it("must match its descriptor, and is accepted once", async () => {
    const { backDocumentUpload, frontDocumentUpload: descriptor } = await startVerification(INDIVIDUALS, {
      ...person,
      documentId: "UPLOAD1"
    })
    const sendWithFields = (changes: Record<string, string>) =>
      sendForm(descriptor, formOf(descriptor, PDF, "application/pdf", changes))
    assert.deepStrictEqual(await sendWithFields({ key: backDocumentUpload.fields.key }), {
      status: 403,
      id: "UPLOAD_REFUSED"
    })
    assert.deepStrictEqual(await sendWithFields({ "X-Upload-Signature": "ab".repeat(32) }), {
      status: 403,
      id: "UPLOAD_REFUSED"
    })
    assert.deepStrictEqual(await sendWithFields({ "X-Upload-Signature": "x" }), { status: 403, id: "UPLOAD_REFUSED" })
    const signature = descriptor.fields["X-Upload-Signature"] as string
    for (const wrongSignature of [`${signature}zz`, `${signature} `, signature.toUpperCase(), `0x${signature}`]) {
      assert.deepStrictEqual(
        await sendWithFields({ "X-Upload-Signature": wrongSignature }),
        { status: 403, id: "UPLOAD_REFUSED" },
        wrongSignature
      )
    }
    assert.deepStrictEqual(await sendWithFields({ another: "field" }), { status: 403, id: "UPLOAD_REFUSED" })
    assert.deepStrictEqual(await sendWithFields({ Policy: backDocumentUpload.fields.Policy }), {
      status: 403,
      id: "UPLOAD_REFUSED"
    })
    assert.deepStrictEqual(await uploadDocument(descriptor, Buffer.from("<html>"), "application/pdf"), {
      status: 415,
      id: "DOCUMENT_TYPE_NOT_ACCEPTED"
    })
    assert.deepStrictEqual(await uploadDocument(descriptor, PDF, "image/png"), {
      status: 415,
      id: "DOCUMENT_TYPE_NOT_ACCEPTED"
    })
    const largeFile = Buffer.concat([PDF, Buffer.alloc(26_214_400)])
    assert.deepStrictEqual(await uploadDocument(descriptor, largeFile), { status: 413, id: "DOCUMENT_TOO_LARGE" })
    const emptyForm = new FormData()
    for (const [name, value] of Object.entries(descriptor.fields)) emptyForm.append(name, String(value))
    assert.deepStrictEqual(await sendForm(descriptor, emptyForm), { status: 403, id: "UPLOAD_REFUSED" })
    const fileFirstForm = new FormData()
    fileFirstForm.append("file", new Blob([PDF], { type: "application/pdf" }), "file")
    for (const [name, value] of Object.entries(descriptor.fields)) fileFirstForm.append(name, String(value))
    assert.deepStrictEqual(await sendForm(descriptor, fileFirstForm), { status: 403, id: "UPLOAD_REFUSED" })

    assert.deepStrictEqual(await sendWithFields({}), { status: 204, id: null })
    assert.deepStrictEqual(await sendWithFields({}), { status: 409, id: "DOCUMENT_ALREADY_UPLOADED" })
    const storedFiles = readdirSync(join(service.home, "documents"))
    assert.isEmpty(storedFiles.filter((name) => name.startsWith("upload-")))
  })
})

describe("concurrent uploads of one document", () => {
  const listUnfinishedUploads = () =>
    readdirSync(join(service.home, "documents")).filter((name) => name.startsWith("upload-"))

  /** Sends the fields and the start of a file. The test sends the rest later. */
  const beginUpload = (descriptor: Descriptor) => {
    const boundary = "a-boundary"
    const fields = Object.entries(descriptor.fields).map(
      ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
    )
    const file = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="f"\r\ncontent-type: application/pdf\r\n\r\n`
    const headers = { "content-type": `multipart/form-data; boundary=${boundary}` }
    const sentRequest = request(descriptor.url, { method: "POST", headers })
    const statusPromise = new Promise<number>((resolve, reject) => {
      sentRequest.on("response", (response) => resolve(response.resume().statusCode ?? 0)).on("error", reject)
    })
    sentRequest.write(`${fields.join("")}${file}${PDF}`)
    return {
      finish: () => {
        sentRequest.end(`\r\n--${boundary}--\r\n`)
        return statusPromise
      }
    }
  }

  it("are stored once, and the other requests get UPLOAD_IN_PROGRESS", async () => {
    const { frontDocumentUpload: descriptor } = await startVerification(INDIVIDUALS, { ...person, documentId: "SLOW1" })
    const slowUpload = beginUpload(descriptor)
    await waitUntil(listUnfinishedUploads, ({ length }) => length === 1)
    for (let attempt = 0; attempt < 3; attempt += 1) {
      assert.deepStrictEqual(await uploadDocument(descriptor), { status: 409, id: "UPLOAD_IN_PROGRESS" })
    }
    assert.lengthOf(listUnfinishedUploads(), 1)
    assert.strictEqual(await slowUpload.finish(), 204)
    assert.deepStrictEqual(await uploadDocument(descriptor), { status: 409, id: "DOCUMENT_ALREADY_UPLOADED" })
    assert.isEmpty(listUnfinishedUploads())
  })

  it("fail and leave no file if the identity was erased meanwhile", async () => {
    const { frontDocumentUpload: descriptor, session } = await startVerification(INDIVIDUALS, {
      ...person,
      documentId: "SLOW2"
    })
    const slowUpload = beginUpload(descriptor)
    await waitUntil(listUnfinishedUploads, ({ length }) => length === 1)
    await runOnSubjects((subjects) => subjects.erase(service.project.id, session.individualId))
    assert.strictEqual(await slowUpload.finish(), 403)
    await waitUntil(listUnfinishedUploads, ({ length }) => length === 0)
    assert.isEmpty(documentsOf(session.id))
  })
})

const documentsOf = (id: string) =>
  readdirSync(join(service.home, "documents")).filter((name) => name.startsWith(`${id}.`))

const completeVerification = async (documentId: string) => {
  const { session, ...uploads } = await startVerification(INDIVIDUALS, { ...person, documentId })
  for (const descriptor of Object.values<Descriptor>(uploads)) await uploadDocument(descriptor)
  await service.request("POST", `${INDIVIDUALS}/${session.id}/process`)
  await decide(session.id, null)
  return session
}

const runOnSubjects = <A, E>(use: (subjects: DataSubjects["Service"]) => Effect.Effect<A, E>) =>
  service.run(DataSubjects.use(use))

describe("a pending session", () => {
  it("returns new upload descriptors of the missing documents, once the earlier ones have expired", async () => {
    const startResponse = await startVerification(INDIVIDUALS, { ...person, documentId: "LATE1" })
    const path = `${INDIVIDUALS}/${startResponse.session.id}`
    await uploadDocument(startResponse.frontDocumentUpload)
    await service.advanceClock(16 * 60)
    assert.deepStrictEqual(await uploadDocument(startResponse.backDocumentUpload), {
      status: 403,
      id: "UPLOAD_REFUSED"
    })
    const { missingDocuments } = (await service.request("GET", path)).body
    assert.deepStrictEqual(
      missingDocuments.map(({ ownerId, type }: Record<string, unknown>) => [type, ownerId]),
      [
        ["back", null],
        ["proofOfAddress", null]
      ]
    )
    for (const missingDocument of missingDocuments)
      assert.strictEqual((await uploadDocument(missingDocument.upload)).status, 204)
    assert.strictEqual((await service.request("POST", `${path}/process`)).status, 204)
    assert.deepStrictEqual((await service.request("GET", path)).body.missingDocuments, [])
  })
})

describe("the personal data of an individual", () => {
  it("is exported completely, with the log of who has read it", async () => {
    const { id, individualId } = await completeVerification("HELD1")
    await service.request("GET", `${INDIVIDUALS}/${id}`)
    await service.request("GET", `${INDIVIDUALS}/${id}`)
    const schedule = { email: "ana@example.com", individual: { type: "individual", individualId } }
    const [wallet] = await registerOneOfEachKind(service)
    const schedulesPath = `/api/v1/wallets/${wallet!.address}/tax-export/schedules`
    const scheduleResponse = await service.request("POST", schedulesPath, {
      ...schedule,
      recurrencePreset: "MONTHLY_START"
    })
    assert.strictEqual(scheduleResponse.status, 201, JSON.stringify(scheduleResponse.body))
    const customer = { provider: "blindpay", customer: "re_held" }
    const linkEffect = CustomerLinks.use(({ link }) =>
      link(service.project.id, IndividualId.make(individualId), customer)
    )
    await service.run(linkEffect)
    const heldData = await runOnSubjects((subjects) => subjects.export(service.project.id, individualId))
    assert.deepStrictEqual(heldData.customers, [customer])
    assert.isNotNull(heldData.verifiedAt)
    assert.deepInclude(heldData.sessions[0]!.personal, { firstName: "Anaquelle", documentId: "HELD1" })
    assert.lengthOf(heldData.taxSchedules, 1)
    assert.deepStrictEqual(heldData.accesses.map(({ action, reader, times }) => [action, reader, times]).sort(), [
      ["EXPORTED", "library", 1],
      ["SHOWN", service.apiKey.split("_")[2], 2],
      // The approval registers the person with the fiat provider.
      ["SUBMITTED", "blindpay", 1]
    ])
    const erasure = await runOnSubjects((subjects) => subjects.erase(service.project.id, individualId))
    assert.deepStrictEqual(erasure, {
      identityId: individualId,
      sessions: 1,
      documents: 3,
      taxSchedules: 1,
      keptOrders: 0
    })
    assert.deepStrictEqual((await service.request("GET", schedulesPath)).body.schedules, [])
    const listLinksEffect = CustomerLinks.use(({ list }) => list(service.project.id, IndividualId.make(individualId)))
    assert.deepStrictEqual(await service.run(listLinksEffect), [])
  })

  it("is deleted by an erasure, and a later verification of the same person has a new identity", async () => {
    const { id, individualId } = await completeVerification("ERASE1")
    assert.lengthOf(documentsOf(id), 3)
    await runOnSubjects((subjects) => subjects.erase(service.project.id, individualId))
    assert.lengthOf(documentsOf(id), 0)
    assert.isFalse(await isVerified(individualId))
    const { session } = (await service.request("GET", `${INDIVIDUALS}/${id}`)).body
    assert.include(session, { status: "COMPLETED", firstName: null, address: null })
    const secondErasure = await runOnSubjects((subjects) => subjects.erase(service.project.id, individualId))
    assert.deepInclude(secondErasure, { documents: 0, taxSchedules: 0 })
    const nextResponse = await startVerification(INDIVIDUALS, { ...person, documentId: "ERASE1" })
    assert.notStrictEqual(nextResponse.session.individualId, individualId)
    const refusal = await runOnSubjects((subjects) => Effect.flip(subjects.erase(service.project.id, "ind_unknown")))
    assert.strictEqual(refusal._tag, "DATA_SUBJECT_NOT_FOUND")
  })

  it("leaves its key in no file of the database after an erasure", async () => {
    const { individualId } = await completeVerification("BYTES1")
    const database = new Database(sandboxDatabaseFile(service.home), { readonly: true })
    const key = String(database.prepare("select secrets from subject_keys where id = ?").pluck().get(individualId))
    database.close()
    const findFilesWithKey = () =>
      readdirSync(service.home, { recursive: true, withFileTypes: true })
        .filter((file) => file.isFile())
        .filter(({ name, parentPath }) => readFileSync(join(parentPath, name)).includes(key.slice(-60)))
        .map(({ name }) => name)
    assert.isNotEmpty(findFilesWithKey())
    await runOnSubjects((subjects) => subjects.erase(service.project.id, individualId))
    assert.deepStrictEqual(findFilesWithKey(), [])
  })

  it("ends the sessions that can no longer be decided, when it is erased", async () => {
    const { session } = await startVerification(BUSINESSES, { ...business, documentId: "11222333000181" })
    await runOnSubjects((subjects) => subjects.erase(service.project.id, session.businessId))
    const sessionResponse = await service.request("GET", `${BUSINESSES}/${session.id}`)
    assert.include(sessionResponse.body.session, { status: "EXPIRED", legalName: null })
    assert.deepStrictEqual(sessionResponse.body.missingDocuments, [])
  })

  it("is erased automatically, long after a refusal", async () => {
    const { session, ...uploads } = await startVerification(INDIVIDUALS, { ...person, documentId: "REFUSED1" })
    for (const descriptor of Object.values<Descriptor>(uploads)) await uploadDocument(descriptor)
    await service.request("POST", `${INDIVIDUALS}/${session.id}/process`)
    await decide(session.id, "Not the same person")
    const verifiedSession = await completeVerification("KEPT1")
    const nameOf = async (id: string) => (await service.request("GET", `${INDIVIDUALS}/${id}`)).body.session.firstName
    const eraseOld = () =>
      runOnSubjects((subjects) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          subjects.eraseRejected(DateTime.makeUnsafe(now - 90 * 86_400_000))
        )
      )
    await service.advanceClock(89 * 86_400)
    assert.strictEqual(await eraseOld(), 0)
    assert.strictEqual(await nameOf(session.id), "Anaquelle")
    await service.advanceClock(2 * 86_400)
    assert.isAtLeast(await eraseOld(), 1)
    assert.lengthOf(documentsOf(session.id), 0)
    assert.isNull(await nameOf(session.id))
    assert.strictEqual(await nameOf(verifiedSession.id), "Anaquelle")
    assert.lengthOf(documentsOf(verifiedSession.id), 3)
    const [erasureAccess] = await runOnSubjects((subjects) =>
      subjects.listAccesses(service.project.id, session.individualId, 9)
    )
    assert.include(erasureAccess, { action: "ERASED", reader: "retention" })
  })
})

describe("an owner of businesses", () => {
  const startBusinessOwnedBy = (documentId: string, ownerDocumentId: string) =>
    startVerification(BUSINESSES, { ...business, documentId, owners: [{ ...person, documentId: ownerDocumentId }] })

  const countKnownDocuments = (identityId: string) => {
    const database = new Database(sandboxDatabaseFile(service.home), { readonly: true })
    const countStatement = database
      .prepare("select count(*) from verification_identities where identity_id = ?")
      .pluck()
    const documentCount = countStatement.get(identityId)
    database.close()
    return documentCount
  }

  it("is erased with the last of the businesses", async () => {
    const firstBusiness = await startBusinessOwnedBy("20260415000101", "TWOERASED")
    const secondBusiness = await startBusinessOwnedBy("20260416000156", "TWOERASED")
    const [{ ownerId }] = firstBusiness.ownersDocuments
    assert.strictEqual(secondBusiness.ownersDocuments[0].ownerId, ownerId)
    await runOnSubjects((subjects) => subjects.erase(service.project.id, firstBusiness.session.businessId))
    assert.strictEqual(countKnownDocuments(ownerId), 2)
    await runOnSubjects((subjects) => subjects.erase(service.project.id, secondBusiness.session.businessId))
    assert.strictEqual(countKnownDocuments(ownerId), 0)
  })

  it("stays verified if the retention erases a session of the owner alone", async () => {
    const { ownersDocuments, session, ...documents } = await startBusinessOwnedBy("20260417000109", "RETAINED1")
    const [{ ownerId, ...owners }] = ownersDocuments
    for (const [name, descriptor] of [documents, owners].flatMap((each) => Object.entries<Descriptor>(each)))
      if (name.endsWith("Upload")) assert.strictEqual((await uploadDocument(descriptor)).status, 204)
    await service.request("POST", `${BUSINESSES}/${session.id}/process`)
    await decide(session.id, null)
    const abandonedResponse = await startVerification(INDIVIDUALS, { ...person, documentId: "RETAINED1" })
    assert.strictEqual(abandonedResponse.session.individualId, ownerId)
    await service.advanceClock(8 * 86_400)
    await service.run(Verifications.use(({ expire }) => expire))
    await service.advanceClock(92 * 86_400)
    await runOnSubjects((subjects) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        subjects.eraseRejected(DateTime.makeUnsafe(now - 90 * 86_400_000))
      )
    )
    assert.isTrue(await isVerified(ownerId))
  })
})

describe("personal data", () => {
  it("is not in clear text in any file or log line", async () => {
    const { session, ...uploads } = await startVerification(INDIVIDUALS, { ...person, documentId: "FX9871234A" })
    await uploadDocument(uploads.frontDocumentUpload)
    await service.request("GET", `${INDIVIDUALS}/${session.id}`)
    const otherPerson = { ...person, documentId: "FX9871234B" }
    const keptResponse = await service.request("POST", INDIVIDUALS, otherPerson, { "idempotency-key": "the-same" })
    assert.strictEqual(keptResponse.status, 201)
    const secrets = ["Anaquelle", "Souzinhares", "FX9871234", "Hortensias", "Unverwechselbar", "Geheimnis von Ana"]
    const files = readdirSync(service.home, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
    assert.isAbove(files.length, 2)
    for (const file of files) {
      const text = readFileSync(join(file.parentPath, file.name)).toString("latin1")
      for (const secret of secrets) assert.notInclude(text, secret, file.name)
    }
    for (const secret of secrets) assert.notInclude(JSON.stringify(service.logLines), secret)
  })

  it("is unreadable once its key is destroyed", async () => {
    const { session } = await startVerification(INDIVIDUALS, { ...person, documentId: "GONE1" })
    assert.isTrue(await service.run(PersonalVault.use((vault) => vault.erase(session.individualId))))
    const sessionResponse = await service.request("GET", `${INDIVIDUALS}/${session.id}`)
    assert.include(sessionResponse.body.session, { status: "PENDING", firstName: null, address: null })
    await service.advanceClock(8 * 86_400)
    await service.run(Verifications.use(({ expire }) => expire))
    // A later session of the person gets a new key, and data encrypted with the first key remains unreadable.
    await startVerification(INDIVIDUALS, { ...person, documentId: "GONE1" })
    assert.isNull((await service.request("GET", `${INDIVIDUALS}/${session.id}`)).body.session.firstName)
  })
})
