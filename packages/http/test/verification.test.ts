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

const start = (path: string, body: object) => startSession(service, path, body)

const send = async (descriptor: Descriptor, form: FormData) => {
  const response = await fetch(descriptor.url, { method: "POST", body: form })
  return {
    status: response.status,
    id: response.status === 204 ? null : ((await response.json()) as { readonly id: string }).id
  }
}

const upload = (descriptor: Descriptor, file: Uint8Array = PDF, type = "application/pdf") =>
  send(descriptor, formOf(descriptor, file, type))

const decide = (id: string, reason: string | null) => decideSession(service, id, reason)

const isVerified = (id: string) =>
  service.run(VerifiedIndividuals.use((individuals) => individuals.isVerified(service.project.id, id)))

const assertRejects = async (work: Promise<unknown>, message: RegExp) => {
  const error = await work.then(
    () => null,
    (cause: unknown) => cause
  )
  assert.match(String(error), message)
}

describe("the verification of a person", () => {
  it("ends with the reviewer's decision, once every document is uploaded", async () => {
    const startedSession = await start(INDIVIDUALS, { ...person, metadata: { customer: "7" } })
    const { session } = startedSession
    assert.deepStrictEqual(session.metadata, { customer: "7" })
    const path = `${INDIVIDUALS}/${session.id}`
    assert.include(session, { status: "PENDING", firstName: "Anaquelle", country: "BRAZIL", reason: null })
    assert.isFalse(await isVerified(session.individualId))

    const earlyResponse = await service.request("POST", `${path}/process`)
    assert.strictEqual(earlyResponse.status, 400)
    assert.lengthOf(earlyResponse.body.errors, 3)

    for (const document of ["frontDocumentUpload", "backDocumentUpload", "proofOfAddressDocumentUpload"]) {
      assert.deepStrictEqual(await upload(startedSession[document]), { status: 204, id: null })
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
    const firstSession = await start(INDIVIDUALS, otherPerson)
    for (const document of ["frontDocumentUpload", "backDocumentUpload", "proofOfAddressDocumentUpload"]) {
      await upload(firstSession[document], PNG, "image/png")
    }
    await service.request("POST", `${INDIVIDUALS}/${firstSession.session.id}/process`)
    await decide(firstSession.session.id, "The picture is dark")
    const { session } = (await service.request("GET", `${INDIVIDUALS}/${firstSession.session.id}`)).body
    assert.include(session, { status: "FAILED", reason: "The picture is dark" })
    const secondSession = await start(INDIVIDUALS, otherPerson)
    assert.strictEqual(secondSession.session.individualId, session.individualId)
    assert.notStrictEqual(secondSession.session.id, session.id)
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
    const { session } = await start(INDIVIDUALS, { ...person, documentId: "01234567890" })
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
    const businesses = ["11444777000161", "19131243000197"]
    const ownerIds: Array<string> = []
    for (const documentId of businesses) {
      const startedSession = await start(BUSINESSES, { ...business, documentId, owners: [owner] })
      ownerIds.push(startedSession.ownersDocuments[0].ownerId)
    }
    const { session } = await start(INDIVIDUALS, { ...owner, documentId: "owner1", documentCategory: "IDENTITY_CARD" })
    assert.deepStrictEqual(ownerIds, [session.individualId, session.individualId])
  })

  it("does not share an identity with a person whose document of another type has the same number", async () => {
    const [passport, license] = [
      { ...person, documentId: "AB998877" },
      { ...person, documentId: "AB998877", documentCategory: "DRIVERS_LICENSE", birthDate: "1971-02-03" }
    ]
    const firstSession = await start(INDIVIDUALS, passport)
    const secondSession = await start(INDIVIDUALS, license)
    assert.notStrictEqual(firstSession.session.individualId, secondSession.session.individualId)
    // Starts the first person with another category and with another birth date, and then the second person again.
    const secondResult = [
      { ...passport, documentCategory: "IDENTITY_CARD" },
      { ...passport, birthDate: "1971-02-03" },
      license
    ]
    for (const request of secondResult) {
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
    const { session } = await start(INDIVIDUALS, { ...person, documentId: "KNOWN1" })
    const otherProject = await service.newProject(null)
    const requestResponse = await service.request("GET", `${INDIVIDUALS}/${session.id}`, undefined, {
      "x-api-key": otherProject.apiKey
    })
    assert.strictEqual(requestResponse.body.id, "VERIFICATION_SESSION_NOT_FOUND")
    const businessResponse = await service.request("GET", `${BUSINESSES}/${session.id}`)
    assert.strictEqual(businessResponse.body.id, "VERIFICATION_SESSION_NOT_FOUND")
    const reader = await service.newProject(null, ["read"])
    const refusal = await service.request("POST", INDIVIDUALS, person, { "x-api-key": reader.apiKey })
    assert.strictEqual(refusal.body.id, "FORBIDDEN_SCOPE")
  })
})

describe("the verification of a business", () => {
  it("is completed with its owners", async () => {
    const startedSession = await start(BUSINESSES, { ...business, metadata: { order: "7" } })
    const { ownersDocuments, session } = startedSession
    assert.include(session, { status: "PENDING", legalName: business.legalName, address: business.streetLine1 })
    assert.deepStrictEqual(session.document, {
      id: business.documentId,
      type: "CNPJ",
      category: "BUSINESS_REGISTRATION"
    })
    assert.lengthOf(ownersDocuments, 1)
    const [owner] = ownersDocuments
    assert.strictEqual(owner.ownerDocumentId, person.documentId)
    const uploads: ReadonlyArray<Descriptor> = [
      startedSession.proofOfAddressDocumentUpload,
      startedSession.socialContractDocumentUpload,
      owner.frontDocumentUpload,
      owner.backDocumentUpload,
      owner.proofOfAddressDocumentUpload
    ]
    for (const descriptor of uploads) assert.strictEqual((await upload(descriptor)).status, 204)
    assert.strictEqual((await service.request("POST", `${BUSINESSES}/${session.id}/process`)).status, 204)
    await decide(session.id, null)
    for (const id of [owner.ownerId, session.businessId]) assert.isTrue(await isVerified(id))
    const readSession = await service.request("GET", `${BUSINESSES}/${session.id}`)
    assert.strictEqual(readSession.body.session.status, "COMPLETED")
    const limits = await service.request("GET", `/api/v1/kyc/identities/${session.businessId}/financial-limits`)
    assert.strictEqual(limits.body.identityType, "business")
    const byType = new Map(limits.body.limits.map((limit: { readonly type: string }) => [limit.type, limit]))
    assert.deepStrictEqual(byType.get("PIX_QR_CODE"), { ...Object(byType.get("PIX_DEPOSIT")), type: "PIX_QR_CODE" })
  })

  it("is completed once an operator has approved each owner and the business, and fails with the first refusal", async () => {
    const owners = ["T1", "T2"].map((documentId) => ({ ...person, documentId }))
    const inReview = async (documentId: string, people: ReadonlyArray<object>) => {
      const startedSession = await start(BUSINESSES, { ...business, documentId, owners: people })
      const uploads: ReadonlyArray<Descriptor> = [
        startedSession.proofOfAddressDocumentUpload,
        startedSession.socialContractDocumentUpload,
        ...startedSession.ownersDocuments.flatMap((owner: Record<string, Descriptor>) => [
          owner.frontDocumentUpload,
          owner.backDocumentUpload,
          owner.proofOfAddressDocumentUpload
        ])
      ]
      for (const descriptor of uploads) assert.strictEqual((await upload(descriptor)).status, 204)
      assert.strictEqual(
        (await service.request("POST", `${BUSINESSES}/${startedSession.session.id}/process`)).status,
        204
      )
      const ids = startedSession.ownersDocuments.map(({ ownerId }: { readonly ownerId: string }) => ownerId)
      return {
        id: startedSession.session.id as string,
        owners: ids as ReadonlyArray<string>,
        business: startedSession.session.businessId
      }
    }
    const review = (id: string, owner: string | null, reason: string | null = null) =>
      service.run(
        Verifications.use((verifications) =>
          verifications.decidePart(
            service.project.id,
            id,
            owner,
            reason === null ? { _tag: "Approve" } : { _tag: "Reject", reason }
          )
        )
      )
    const reviewedBusiness = await inReview("00000000000191", owners)
    const [first, second] = reviewedBusiness.owners
    assert.strictEqual((await review(reviewedBusiness.id, first!)).status, "IN_REVIEW")
    assert.strictEqual((await review(reviewedBusiness.id, first!)).status, "IN_REVIEW")
    assert.strictEqual((await review(reviewedBusiness.id, null)).status, "IN_REVIEW")
    for (const id of [first!, reviewedBusiness.business]) assert.isFalse(await isVerified(id))
    await assertRejects(
      review(reviewedBusiness.id, "own_stranger"),
      new RegExp(`no owner own_stranger.*${second}`, "u")
    )
    assert.strictEqual((await review(reviewedBusiness.id, second!)).status, "COMPLETED")
    for (const id of [...reviewedBusiness.owners, reviewedBusiness.business]) assert.isTrue(await isVerified(id))

    const otherOwners = ["T3", "T4"].map((documentId) => ({ ...person, documentId }))
    const otherSession = await inReview("12ABC34501DE35", otherOwners)
    await review(otherSession.id, otherSession.owners[0]!)
    const refusal = await review(otherSession.id, otherSession.owners[1]!, "The picture is dark")
    assert.deepInclude(refusal, { status: "FAILED", reason: `Owner ${otherSession.owners[1]}: The picture is dark` })
    await assertRejects(review(otherSession.id, null), /is FAILED/u)
    for (const id of otherSession.owners) assert.isFalse(await isVerified(id))
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
    const { backDocumentUpload, frontDocumentUpload: descriptor } = await start(INDIVIDUALS, {
      ...person,
      documentId: "UPLOAD1"
    })
    const sendCallback = (changes: Record<string, string>) =>
      send(descriptor, formOf(descriptor, PDF, "application/pdf", changes))
    assert.deepStrictEqual(await sendCallback({ key: backDocumentUpload.fields.key }), {
      status: 403,
      id: "UPLOAD_REFUSED"
    })
    assert.deepStrictEqual(await sendCallback({ "X-Upload-Signature": "ab".repeat(32) }), {
      status: 403,
      id: "UPLOAD_REFUSED"
    })
    assert.deepStrictEqual(await sendCallback({ "X-Upload-Signature": "x" }), { status: 403, id: "UPLOAD_REFUSED" })
    const signature = descriptor.fields["X-Upload-Signature"] as string
    for (const wrongSignature of [`${signature}zz`, `${signature} `, signature.toUpperCase(), `0x${signature}`]) {
      assert.deepStrictEqual(
        await sendCallback({ "X-Upload-Signature": wrongSignature }),
        { status: 403, id: "UPLOAD_REFUSED" },
        wrongSignature
      )
    }
    assert.deepStrictEqual(await sendCallback({ another: "field" }), { status: 403, id: "UPLOAD_REFUSED" })
    assert.deepStrictEqual(await sendCallback({ Policy: backDocumentUpload.fields.Policy }), {
      status: 403,
      id: "UPLOAD_REFUSED"
    })
    assert.deepStrictEqual(await upload(descriptor, Buffer.from("<html>"), "application/pdf"), {
      status: 415,
      id: "DOCUMENT_TYPE_NOT_ACCEPTED"
    })
    assert.deepStrictEqual(await upload(descriptor, PDF, "image/png"), {
      status: 415,
      id: "DOCUMENT_TYPE_NOT_ACCEPTED"
    })
    const largeFile = Buffer.concat([PDF, Buffer.alloc(26_214_400)])
    assert.deepStrictEqual(await upload(descriptor, largeFile), { status: 413, id: "DOCUMENT_TOO_LARGE" })
    const emptyForm = new FormData()
    for (const [name, value] of Object.entries(descriptor.fields)) emptyForm.append(name, String(value))
    assert.deepStrictEqual(await send(descriptor, emptyForm), { status: 403, id: "UPLOAD_REFUSED" })
    const fileFirst = new FormData()
    fileFirst.append("file", new Blob([PDF], { type: "application/pdf" }), "file")
    for (const [name, value] of Object.entries(descriptor.fields)) fileFirst.append(name, String(value))
    assert.deepStrictEqual(await send(descriptor, fileFirst), { status: 403, id: "UPLOAD_REFUSED" })

    assert.deepStrictEqual(await sendCallback({}), { status: 204, id: null })
    assert.deepStrictEqual(await sendCallback({}), { status: 409, id: "DOCUMENT_ALREADY_UPLOADED" })
    const keptFiles = readdirSync(join(service.home, "documents"))
    assert.isEmpty(keptFiles.filter((name) => name.startsWith("upload-")))
  })
})

describe("concurrent uploads of one document", () => {
  const unfinishedUploads = () =>
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
    const status = new Promise<number>((resolve, reject) => {
      sentRequest.on("response", (response) => resolve(response.resume().statusCode ?? 0)).on("error", reject)
    })
    sentRequest.write(`${fields.join("")}${file}${PDF}`)
    return {
      finish: () => {
        sentRequest.end(`\r\n--${boundary}--\r\n`)
        return status
      }
    }
  }

  it("are stored once, and the other requests get UPLOAD_IN_PROGRESS", async () => {
    const { frontDocumentUpload: descriptor } = await start(INDIVIDUALS, { ...person, documentId: "SLOW1" })
    const slowUpload = beginUpload(descriptor)
    await waitUntil(unfinishedUploads, ({ length }) => length === 1)
    for (let times = 0; times < 3; times += 1) {
      assert.deepStrictEqual(await upload(descriptor), { status: 409, id: "UPLOAD_IN_PROGRESS" })
    }
    assert.lengthOf(unfinishedUploads(), 1)
    assert.strictEqual(await slowUpload.finish(), 204)
    assert.deepStrictEqual(await upload(descriptor), { status: 409, id: "DOCUMENT_ALREADY_UPLOADED" })
    assert.isEmpty(unfinishedUploads())
  })

  it("fail and leave no file if the identity was erased meanwhile", async () => {
    const { frontDocumentUpload: descriptor, session } = await start(INDIVIDUALS, { ...person, documentId: "SLOW2" })
    const slowUpload = beginUpload(descriptor)
    await waitUntil(unfinishedUploads, ({ length }) => length === 1)
    await subject((subjects) => subjects.erase(service.project.id, session.individualId))
    assert.strictEqual(await slowUpload.finish(), 403)
    await waitUntil(unfinishedUploads, ({ length }) => length === 0)
    assert.isEmpty(documentsOf(session.id))
  })
})

const documentsOf = (id: string) =>
  readdirSync(join(service.home, "documents")).filter((name) => name.startsWith(`${id}.`))

const completeVerification = async (documentId: string) => {
  const { session, ...uploads } = await start(INDIVIDUALS, { ...person, documentId })
  for (const descriptor of Object.values<Descriptor>(uploads)) await upload(descriptor)
  await service.request("POST", `${INDIVIDUALS}/${session.id}/process`)
  await decide(session.id, null)
  return session
}

const subject = <A, E>(use: (subjects: DataSubjects["Service"]) => Effect.Effect<A, E>) =>
  service.run(DataSubjects.use(use))

describe("a pending session", () => {
  it("returns new upload descriptors of the missing documents, once the earlier ones have expired", async () => {
    const startedSession = await start(INDIVIDUALS, { ...person, documentId: "LATE1" })
    const path = `${INDIVIDUALS}/${startedSession.session.id}`
    await upload(startedSession.frontDocumentUpload)
    await service.advanceClock(16 * 60)
    assert.deepStrictEqual(await upload(startedSession.backDocumentUpload), { status: 403, id: "UPLOAD_REFUSED" })
    const { missingDocuments } = (await service.request("GET", path)).body
    assert.deepStrictEqual(
      missingDocuments.map(({ ownerId, type }: Record<string, unknown>) => [type, ownerId]),
      [
        ["back", null],
        ["proofOfAddress", null]
      ]
    )
    for (const missingDocument of missingDocuments)
      assert.strictEqual((await upload(missingDocument.upload)).status, 204)
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
    const schedules = `/api/v1/wallets/${wallet!.address}/tax-export/schedules`
    const scheduleResponse = await service.request("POST", schedules, {
      ...schedule,
      recurrencePreset: "MONTHLY_START"
    })
    assert.strictEqual(scheduleResponse.status, 201, JSON.stringify(scheduleResponse.body))
    const customer = { provider: "blindpay", customer: "re_held" }
    const links = CustomerLinks.use(({ link }) => link(service.project.id, IndividualId.make(individualId), customer))
    await service.run(links)
    const heldData = await subject((subjects) => subjects.export(service.project.id, individualId))
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
    const erasure = await subject((subjects) => subjects.erase(service.project.id, individualId))
    assert.deepStrictEqual(erasure, {
      identityId: individualId,
      sessions: 1,
      documents: 3,
      taxSchedules: 1,
      keptOrders: 0
    })
    assert.deepStrictEqual((await service.request("GET", schedules)).body.schedules, [])
    const remainingLinks = CustomerLinks.use(({ list }) => list(service.project.id, IndividualId.make(individualId)))
    assert.deepStrictEqual(await service.run(remainingLinks), [])
  })

  it("is deleted by an erasure, and a later verification of the same person has a new identity", async () => {
    const { id, individualId } = await completeVerification("ERASE1")
    assert.lengthOf(documentsOf(id), 3)
    await subject((subjects) => subjects.erase(service.project.id, individualId))
    assert.lengthOf(documentsOf(id), 0)
    assert.isFalse(await isVerified(individualId))
    const { session } = (await service.request("GET", `${INDIVIDUALS}/${id}`)).body
    assert.include(session, { status: "COMPLETED", firstName: null, address: null })
    const secondErasure = await subject((subjects) => subjects.erase(service.project.id, individualId))
    assert.deepInclude(secondErasure, { documents: 0, taxSchedules: 0 })
    const nextSession = await start(INDIVIDUALS, { ...person, documentId: "ERASE1" })
    assert.notStrictEqual(nextSession.session.individualId, individualId)
    const refusal = await subject((subjects) => Effect.flip(subjects.erase(service.project.id, "ind_unknown")))
    assert.strictEqual(refusal._tag, "DATA_SUBJECT_NOT_FOUND")
  })

  it("leaves its key in no file of the database after an erasure", async () => {
    const { individualId } = await completeVerification("BYTES1")
    const database = new Database(sandboxDatabaseFile(service.home), { readonly: true })
    const key = String(database.prepare("select secrets from subject_keys where id = ?").pluck().get(individualId))
    database.close()
    const foundIn = () =>
      readdirSync(service.home, { recursive: true, withFileTypes: true })
        .filter((file) => file.isFile())
        .filter(({ name, parentPath }) => readFileSync(join(parentPath, name)).includes(key.slice(-60)))
        .map(({ name }) => name)
    assert.isNotEmpty(foundIn())
    await subject((subjects) => subjects.erase(service.project.id, individualId))
    assert.deepStrictEqual(foundIn(), [])
  })

  it("ends the sessions that can no longer be decided, when it is erased", async () => {
    const { session } = await start(BUSINESSES, { ...business, documentId: "11222333000181" })
    await subject((subjects) => subjects.erase(service.project.id, session.businessId))
    const readSession = await service.request("GET", `${BUSINESSES}/${session.id}`)
    assert.include(readSession.body.session, { status: "EXPIRED", legalName: null })
    assert.deepStrictEqual(readSession.body.missingDocuments, [])
  })

  it("is erased automatically, long after a refusal", async () => {
    const { session, ...uploads } = await start(INDIVIDUALS, { ...person, documentId: "REFUSED1" })
    for (const descriptor of Object.values<Descriptor>(uploads)) await upload(descriptor)
    await service.request("POST", `${INDIVIDUALS}/${session.id}/process`)
    await decide(session.id, "Not the same person")
    const verifiedSession = await completeVerification("KEPT1")
    const nameOf = async (id: string) => (await service.request("GET", `${INDIVIDUALS}/${id}`)).body.session.firstName
    const eraseOld = () =>
      subject((subjects) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          subjects.eraseRefused(DateTime.makeUnsafe(now - 90 * 86_400_000))
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
    const [erasureAccess] = await subject((subjects) => subjects.accesses(service.project.id, session.individualId, 9))
    assert.include(erasureAccess, { action: "ERASED", reader: "retention" })
  })
})

describe("an owner of businesses", () => {
  const startBusinessOwnedBy = (documentId: string, owner: string) =>
    start(BUSINESSES, { ...business, documentId, owners: [{ ...person, documentId: owner }] })

  const knownDocuments = (identityId: string) => {
    const database = new Database(sandboxDatabaseFile(service.home), { readonly: true })
    const count = database.prepare("select count(*) from verification_identities where identity_id = ?").pluck()
    const documents = count.get(identityId)
    database.close()
    return documents
  }

  it("is erased with the last of the businesses", async () => {
    const firstOwner = await startBusinessOwnedBy("20260415000101", "TWOERASED")
    const secondOwner = await startBusinessOwnedBy("20260416000156", "TWOERASED")
    const [{ ownerId }] = firstOwner.ownersDocuments
    assert.strictEqual(secondOwner.ownersDocuments[0].ownerId, ownerId)
    await subject((subjects) => subjects.erase(service.project.id, firstOwner.session.businessId))
    assert.strictEqual(knownDocuments(ownerId), 2)
    await subject((subjects) => subjects.erase(service.project.id, secondOwner.session.businessId))
    assert.strictEqual(knownDocuments(ownerId), 0)
  })

  it("stays verified if the retention erases a session of the owner alone", async () => {
    const { ownersDocuments, session, ...documents } = await startBusinessOwnedBy("20260417000109", "RETAINED1")
    const [{ ownerId, ...owners }] = ownersDocuments
    for (const [name, descriptor] of [documents, owners].flatMap((each) => Object.entries<Descriptor>(each)))
      if (name.endsWith("Upload")) assert.strictEqual((await upload(descriptor)).status, 204)
    await service.request("POST", `${BUSINESSES}/${session.id}/process`)
    await decide(session.id, null)
    const abandonedSession = await start(INDIVIDUALS, { ...person, documentId: "RETAINED1" })
    assert.strictEqual(abandonedSession.session.individualId, ownerId)
    await service.advanceClock(8 * 86_400)
    await service.run(Verifications.use(({ expire }) => expire))
    await service.advanceClock(92 * 86_400)
    await subject((subjects) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        subjects.eraseRefused(DateTime.makeUnsafe(now - 90 * 86_400_000))
      )
    )
    assert.isTrue(await isVerified(ownerId))
  })
})

describe("personal data", () => {
  it("is not in clear text in any file or log line", async () => {
    const { session, ...uploads } = await start(INDIVIDUALS, { ...person, documentId: "FX9871234A" })
    await upload(uploads.frontDocumentUpload)
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
    const { session } = await start(INDIVIDUALS, { ...person, documentId: "GONE1" })
    assert.isTrue(await service.run(PersonalVault.use((vault) => vault.erase(session.individualId))))
    const readSession = await service.request("GET", `${INDIVIDUALS}/${session.id}`)
    assert.include(readSession.body.session, { status: "PENDING", firstName: null, address: null })
    await service.advanceClock(8 * 86_400)
    await service.run(Verifications.use(({ expire }) => expire))
    // A later session of the person gets a new key, and data encrypted with the first key remains unreadable.
    await start(INDIVIDUALS, { ...person, documentId: "GONE1" })
    assert.isNull((await service.request("GET", `${INDIVIDUALS}/${session.id}`)).body.session.firstName)
  })
})
