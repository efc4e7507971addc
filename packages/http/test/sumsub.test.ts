import { VerificationChecks, VerifiedIndividuals } from "@countersign/core/identity"
import { DataSubjects } from "@countersign/core/tenancy/data-subjects"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { DateTime, Effect, Redacted } from "effect"
import { S3_REGION, type S3Emulator, s3Keys, startS3Emulator } from "../../adapters/test/identity/S3Emulator.ts"
import {
  type SumsubEmulator,
  startSumsubEmulator,
  sumsubLevels,
  sumsubSecrets
} from "../../adapters/test/identity/SumsubEmulator.ts"
import { startTestService, type TestService } from "./support/testService.ts"
import {
  person as anyPerson,
  BUSINESSES,
  business,
  descriptorsIn,
  formOf,
  INDIVIDUALS,
  PDF,
  submitVerification,
  uploadDocument
} from "./support/verifications.ts"

/** Tests verifications by Sumsub, with documents in an S3 bucket, over HTTP between all parties. */

const person = {
  ...anyPerson,
  firstName: "Anaquelle",
  lastName: "Souzinhares",
  documentId: "RG1",
  documentCategory: "IDENTITY_CARD",
  address: "Rua das Hortensias 12"
}

let sumsub: SumsubEmulator
let s3: S3Emulator
let service: TestService

beforeAll(async () => {
  sumsub = await startSumsubEmulator()
  s3 = await startS3Emulator()
  service = await startTestService({
    sumsub: {
      url: sumsub.url,
      appToken: Redacted.make(sumsubSecrets.appToken),
      secretKey: Redacted.make(sumsubSecrets.secretKey),
      webhookSecret: Redacted.make(sumsubSecrets.webhookSecret),
      levels: sumsubLevels
    },
    documentsS3: {
      url: s3.url,
      region: S3_REGION,
      accessKeyId: s3Keys.accessKeyId,
      secretAccessKey: Redacted.make(s3Keys.secretAccessKey)
    }
  })
  const offsetMs = DateTime.toEpochMillis(await service.run(DateTime.now)) - Date.now()
  s3.state.nowMs = () => Date.now() + offsetMs + clockOffsetMs
  sumsub.setClock(s3.state.nowMs)
})
afterAll(async () => {
  await service.stop()
  await sumsub.stop()
  await s3.stop()
})

let clockOffsetMs = 0
const advanceClocks = async (seconds: number) => {
  clockOffsetMs += seconds * 1_000
  await service.advanceClock(seconds)
}

const checkDue = () => service.run(VerificationChecks.use(({ checkDue: checkDueSessions }) => checkDueSessions))

/** Creates a session with submitted documents, and runs its first check. */
const submitSession = async (path: string, body: object) => {
  const startResponse = await submitVerification(service, path, body)
  const { session } = startResponse
  await checkDue()
  const readSession = async () => (await service.request("GET", `${path}/${session.id}`)).body.session
  return { session, started: startResponse, statusOf: readSession, external: `${service.project.id}.${session.id}` }
}

const sendCallback = (externalUserId: string, headers?: Record<string, string>) => {
  const message = sumsub.message(externalUserId)
  return fetch(`${service.baseUrl}/callbacks/sumsub`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(headers ?? message.headers) },
    body: message.body
  })
}

describe("a person whom Sumsub checks", () => {
  it("is verified once Sumsub reports it; a signed webhook triggers the check immediately", async () => {
    const { external, session, statusOf } = await submitSession(INDIVIDUALS, person)
    assert.strictEqual((await statusOf()).status, "VERIFYING")
    assert.lengthOf(sumsub.applicants.get(external)!.images, 3)
    assert.deepStrictEqual(sumsub.applicants.get(external)!.images[0]!.content, PDF)
    // A webhook without a valid signature must not trigger the next check.
    assert.strictEqual((await sendCallback(external, { "x-payload-digest": "00" })).status, 401)
    assert.strictEqual(await checkDue(), 0)
    sumsub.review(external, "GREEN")
    assert.strictEqual((await sendCallback(external)).status, 204)
    assert.strictEqual(await checkDue(), 1)
    assert.strictEqual((await statusOf()).status, "COMPLETED")
    const isVerified = VerifiedIndividuals.use((all) => all.isVerified(service.project.id, session.individualId))
    assert.isTrue(await service.run(isVerified))
    assert.strictEqual((await sendCallback(external)).status, 204)
    assert.strictEqual(await checkDue(), 0)
  })

  it("is not verified by a webhook alone", async () => {
    const { external, statusOf } = await submitSession(INDIVIDUALS, { ...person, documentId: "RG2" })
    // The webhook reports GREEN, but Sumsub's API does not.
    for (let copy = 0; copy < 3; copy += 1) assert.strictEqual((await sendCallback(external)).status, 204)
    assert.strictEqual(await checkDue(), 1)
    assert.strictEqual((await statusOf()).status, "VERIFYING")
  })

  it("is rejected with the reviewers' reason, also without a webhook", async () => {
    const { external, statusOf } = await submitSession(INDIVIDUALS, { ...person, documentId: "RG3" })
    sumsub.review(external, "RED", "The card has expired")
    assert.strictEqual(await checkDue(), 0)
    await advanceClocks(61)
    await checkDue()
    assert.deepInclude(await statusOf(), { status: "FAILED", reason: "The card has expired" })
  })

  it("waits while Sumsub does not respond, and continues then", async () => {
    sumsub.fail({ _tag: "Status", status: 429 })
    const { external, statusOf } = await submitSession(INDIVIDUALS, { ...person, documentId: "RG4" })
    assert.strictEqual((await statusOf()).status, "VERIFYING")
    assert.isFalse(sumsub.applicants.has(external))
    await advanceClocks(61)
    await checkDue()
    assert.lengthOf(sumsub.applicants.get(external)!.images, 3)
  })

  it("is reviewed by the operator if Sumsub rejects the data", async () => {
    sumsub.fail({ _tag: "Status", status: 400, body: { description: "Souzinhares is no name", errorCode: 4003 } }, 1)
    const { statusOf } = await submitSession(INDIVIDUALS, { ...person, documentId: "RG5" })
    assert.strictEqual((await statusOf()).status, "IN_REVIEW")
    assert.notInclude(JSON.stringify(service.logLines), "Souzinhares")
  })
})

describe("a business that Sumsub checks", () => {
  it("is verified with the last of its owners, each of whom is a separate applicant", async () => {
    const owners = [person, { ...person, documentId: "RG9", firstName: "Bruno" }]
    const { external, started, statusOf } = await submitSession(BUSINESSES, {
      ...business,
      streetLine1: person.address,
      owners
    })
    const ownerIds = started.ownersDocuments.map(({ ownerId }: { readonly ownerId: string }) => ownerId)
    const [companyApplicantId, ...ownerApplicantIds] = [external, ...ownerIds.map((id: string) => `${external}.${id}`)]
    for (const applicantId of [companyApplicantId, ...ownerApplicantIds])
      assert.isNotEmpty(sumsub.applicants.get(applicantId!)!.images, applicantId)
    for (const applicantId of [companyApplicantId, ownerApplicantIds[1]]) sumsub.review(applicantId!, "GREEN")
    // Sumsub sends a webhook for each applicant. The webhook of an owner also triggers a check of the session.
    await sendCallback(ownerApplicantIds[1]!)
    await checkDue()
    assert.strictEqual((await statusOf()).status, "VERIFYING")
    sumsub.review(ownerApplicantIds[0]!, "GREEN")
    await sendCallback(ownerApplicantIds[0]!)
    await checkDue()
    assert.strictEqual((await statusOf()).status, "COMPLETED")
  })
})

describe("documents in S3", () => {
  it("are requested again if the store did not respond, and deleted by an erasure", async () => {
    const startResponse = await service.request("POST", INDIVIDUALS, { ...person, documentId: "RG20" })
    const { session } = startResponse.body
    const [firstDescriptor, ...others] = descriptorsIn(startResponse.body)
    s3.state.fault = { status: 503 }
    const form = formOf(firstDescriptor!, PDF)
    assert.strictEqual((await fetch(firstDescriptor!.url, { method: "POST", body: form })).status, 502)
    const path = `${INDIVIDUALS}/${session.id}`
    assert.strictEqual((await service.request("POST", `${path}/process`)).body.id, "UPSTREAM_UNAVAILABLE")
    const eraseEffect = DataSubjects.use((subjects) => subjects.erase(service.project.id, session.individualId))
    assert.strictEqual((await service.run(Effect.flip(eraseEffect)))._tag, "UPSTREAM_UNAVAILABLE")
    s3.state.fault = null
    // The service sends no request to S3 until its pause ends.
    await advanceClocks(5)
    for (const descriptor of [firstDescriptor!, ...others]) await uploadDocument(descriptor)
    const listStoredFiles = () => [...s3.objects].filter(([name]) => name.includes(session.id))
    assert.lengthOf(listStoredFiles(), 3)
    for (const [, content] of listStoredFiles()) assert.notInclude(content.toString("latin1"), "of the person")
    assert.deepInclude(await service.run(eraseEffect), { documents: 3 })
    assert.isEmpty(listStoredFiles())
  })
})

describe("Sumsub webhooks", () => {
  it("are counted by their result, including those about an unknown applicant", async () => {
    await sendCallback(`${service.project.id}.kyc_unknown`)
    const { body } = await service.request("GET", "/metrics")
    const outcomes = [...String(body).matchAll(/^identity_callbacks_total\{.*?outcome="(\w+)".*?\} (\d+)$/gmu)]
    const counts = Object.fromEntries(outcomes.map(([, outcome, count]) => [outcome, Number(count)]))
    assert.isAbove(counts.taken!, 5)
    assert.strictEqual(counts.refused, 1)
    assert.strictEqual(counts.unknown_session, 1)
  })

  it("leave no personal data in the log", () => {
    const log = JSON.stringify(service.logLines)
    for (const secret of ["Anaquelle", "Souzinhares", "Hortensias"]) assert.notInclude(log, secret)
  })
})
