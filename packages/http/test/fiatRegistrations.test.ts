import { ProviderRegistrations } from "@countersign/core/fiat"
import { IndividualId, VerifiedIndividuals } from "@countersign/core/identity"
import { DataSubjects } from "@countersign/core/tenancy/data-subjects"
import { EventLog } from "@countersign/core/tenancy/events"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { waitUntil } from "../../core/test/support/until.ts"
import { registerOneOfEachKind } from "./support/accounts.ts"
import { fiatClient } from "./support/fiatClient.ts"
import { assertRefusal } from "./support/refusals.ts"
import { startTestService, type TestResponse, type TestService } from "./support/testService.ts"
import {
  BUSINESSES,
  business,
  decideSession,
  INDIVIDUALS,
  person,
  submitVerification
} from "./support/verifications.ts"

/** Tests the steps from a verification to a fiat quote: the approval registers the identity with the sandbox's bank. */

let service: TestService
let callBank: ReturnType<typeof fiatClient>["bank"]
let requestQuote: (kind: "deposit" | "withdrawal", individualId: string) => Promise<TestResponse>

beforeAll(async () => {
  service = await startTestService()
  const wallet = (await registerOneOfEachKind(service))[0]!
  const client = fiatClient(service, wallet, "")
  callBank = client.bank
  requestQuote = (kind, individualId) => client.quote(kind, { individualId })
  await callBank("webhook", { url: `${service.baseUrl}/callbacks/blindpay` })
})
afterAll(() => service.stop())

const decide = (id: string, reason: string | null) => decideSession(service, id, reason)

/** Creates a session of a person, and submits it for review. */
const submitSession = async (documentId: string, changes: object = {}) => {
  const { session } = await submitVerification(service, INDIVIDUALS, { ...person, documentId, ...changes })
  return session as { readonly id: string; readonly individualId: string }
}

const approveIndividual = async (documentId: string, changes: object = {}) => {
  const session = await submitSession(documentId, changes)
  await decide(session.id, null)
  return session
}

const registrationsOf = async ({ id }: { readonly id: string }, path = INDIVIDUALS) =>
  (await service.request("GET", `${path}/${id}`)).body.session.fiatRegistrations

const assertNotReady = async (individualId: string, message: RegExp) => {
  const response = await requestQuote("deposit", individualId)
  assertRefusal(response, 400, "FIAT_CUSTOMER_NOT_READY", message)
  assert.deepStrictEqual(
    response.body.errors.map(({ path }: { readonly path: string }) => path),
    ["body.individualId"]
  )
}

const checkDue = () => service.run(ProviderRegistrations.use((registrations) => registrations.checkDue))

const customerCountOf = async (externalId: string) => {
  const response = await fetch(
    `${new URL(service.chains.rpcUrl(1)).origin}/blindpay/v1/instances/in_sandbox000000/customers`,
    {
      headers: { authorization: "Bearer sandbox" }
    }
  )
  const allCustomers = (await response.json()) as ReadonlyArray<{ readonly external_id: string }>
  return allCustomers.filter(({ external_id }) => external_id === externalId).length
}

const eventTypesOf = async (identityId: string) => {
  const events = await service.run(
    EventLog.use((log) => log.read({ projectId: null, after: { at: DateTime.makeUnsafe(0), id: "" }, limit: 1_000 }))
  )
  return events.filter(({ resource }) => resource.id === `${identityId}:blindpay`).map(({ type }) => type)
}

describe("an approval", () => {
  it("makes a person a customer of the fiat provider, who gets quotes without any manual step", async () => {
    const session = await submitSession("REG1")
    assert.deepStrictEqual(await registrationsOf(session), [])
    assertRefusal(
      await requestQuote("deposit", session.individualId),
      400,
      "INDIVIDUAL_VERIFICATION_REQUIRED",
      /IN_REVIEW/u
    )
    await decide(session.id, null)
    const [registration] = await registrationsOf(session)
    assert.deepInclude(registration, { provider: "blindpay", status: "ACTIVE", reason: null, fields: [] })
    for (const kind of ["deposit", "withdrawal"] as const) {
      const { body, status } = await requestQuote(kind, session.individualId)
      assert.strictEqual(status, 201, JSON.stringify(body))
    }
    assert.deepStrictEqual(await eventTypesOf(session.individualId), ["kyc.provider.pending", "kyc.provider.active"])
  })

  it("makes a business a customer with its owners and documents", async () => {
    const owners = [{ ...person, documentId: "REGOWNER" }]
    const startResponse = await submitVerification(service, BUSINESSES, { ...business, owners })
    const [owner] = startResponse.ownersDocuments
    await decide(startResponse.session.id, null)
    const [registration] = await registrationsOf(startResponse.session, BUSINESSES)
    assert.strictEqual(registration.status, "ACTIVE", JSON.stringify(registration))
    assert.strictEqual((await requestQuote("deposit", startResponse.session.businessId)).status, 201)
    await assertNotReady(owner.ownerId, /has no customer/u)
  })

  it("while the provider is down leaves the registration PENDING, and a worker completes it once", async () => {
    await callBank("failures", { count: 1_000, status: 503 })
    const session = await approveIndividual("REG2")
    const { individualId } = session
    assert.strictEqual((await registrationsOf(session))[0].status, "PENDING")
    await assertNotReady(individualId, /not decided on the registration yet/u)
    await service.advanceClock(20)
    await checkDue()
    assert.strictEqual((await registrationsOf(session))[0].status, "PENDING")
    await callBank("failures", { count: 0, status: 503 })
    await service.advanceClock(60)
    await checkDue()
    assert.strictEqual((await registrationsOf(session))[0].status, "ACTIVE")
    assert.strictEqual(await customerCountOf(individualId), 1)
    assert.deepStrictEqual(await eventTypesOf(individualId), ["kyc.provider.pending", "kyc.provider.active"])
  })

  it("that is revoked while the provider is down sends nothing to the provider afterwards", async () => {
    await callBank("failures", { count: 1_000, status: 503 })
    const { individualId, ...session } = await approveIndividual("REGREVOKED")
    const id = IndividualId.make(individualId)
    await service.run(VerifiedIndividuals.use((individuals) => individuals.revoke(service.project.id, id)))
    await callBank("failures", { count: 0, status: 503 })
    await service.advanceClock(60)
    await checkDue()
    assert.strictEqual((await registrationsOf(session))[0].status, "PENDING")
    assert.strictEqual(await customerCountOf(individualId), 0)
  })

  it("creates one customer, also if the process ends at any request to the provider", async () => {
    // The registration lists the customers, creates one, and reads its status. The process may end after each of these
    // requests, whether or not the request was executed.
    for (const attempt of [0, 1, 2]) {
      for (const isDone of [false, true]) {
        const session = await submitSession(`REGKILL${attempt}${isDone}`)
        await callBank("failures", { count: 1_000, status: 503, after: attempt, isDone })
        await decide(session.id, null)
        assert.strictEqual((await registrationsOf(session))[0].status, "PENDING")
        await callBank("failures", { count: 0, status: 503 })
        await service.advanceClock(20)
        await checkDue()
        assert.strictEqual((await registrationsOf(session))[0].status, "ACTIVE", `${attempt} ${isDone}`)
        assert.strictEqual(await customerCountOf(session.individualId), 1, `${attempt} ${isDone}`)
      }
    }
  })

  it("of a person whom the provider rejects reports the rejection, and can be submitted again", async () => {
    const session = await approveIndividual("REG3", { firstName: "Fail" })
    const [registration] = await registrationsOf(session)
    assert.deepInclude(registration, { status: "REJECTED", reason: "document_unreadable" })
    await assertNotReady(session.individualId, /rejected the individual: document_unreadable/u)
    const path = `/api/v1/kyc/identities/${session.individualId}/fiat-registrations`
    const secondResponse = await service.request("POST", path, {
      provider: "blindpay",
      details: { taxId: "52998224725" }
    })
    assert.strictEqual(secondResponse.status, 200, JSON.stringify(secondResponse.body))
    assert.strictEqual(secondResponse.body.registration.status, "REJECTED")
    // Each attempt creates a separate customer, as BlindPay requires.
    assert.strictEqual(await customerCountOf(`${session.individualId}.1`), 1)
    const unknownProviderResponse = await service.request("POST", path, { provider: "nobody" })
    assertRefusal(unknownProviderResponse, 400, "BAD_REQUEST", /Expected one of blindpay/u)
    const otherProject = await service.newProject(null)
    const foreignResponse = await service.request(
      "POST",
      path,
      { provider: "blindpay" },
      { "x-api-key": otherProject.apiKey }
    )
    assertRefusal(foreignResponse, 404, "IDENTITY_NOT_FOUND", /./u)
  })

  it("of a person from whom the provider later requests information stops quotes until it is submitted", async () => {
    const session = await approveIndividual("REG4")
    const { individualId } = session
    const waitForStatus = (status: string) =>
      waitUntil(
        async () => {
          await checkDue()
          return (await registrationsOf(session))[0]
        },
        (registration) => registration.status === status
      )
    await callBank("customer-status", { individualId, status: "compliance_request" })
    const changedRegistration = await waitForStatus("ACTION_REQUIRED")
    assert.deepStrictEqual(changedRegistration.fields, ["proof_of_address_doc_file"])
    await assertNotReady(individualId, /it needs proof_of_address_doc_file/u)
    await callBank("customer-status", { individualId, status: "approved" })
    await waitForStatus("ACTIVE")
    assert.strictEqual((await requestQuote("deposit", individualId)).status, 201)
  })
})

describe("an identity that is not verified", () => {
  it("gets 400 from fiat endpoints if it was rejected, and 404 if it is unknown", async () => {
    const session = await submitSession("REG5")
    await decide(session.id, "The picture is dark")
    for (const kind of ["deposit", "withdrawal"] as const) {
      const response = await requestQuote(kind, session.individualId)
      assertRefusal(response, 400, "INDIVIDUAL_VERIFICATION_REQUIRED", /FAILED \(The picture is dark\)/u)
      assert.strictEqual(response.body.errors[0].path, "body.individualId")
    }
    const limitsResponse = await service.request(
      "GET",
      `/api/v1/kyc/identities/${session.individualId}/financial-limits`
    )
    assertRefusal(limitsResponse, 400, "INDIVIDUAL_VERIFICATION_REQUIRED", /FAILED/u)
    assertRefusal(await requestQuote("deposit", "ind_nobody"), 404, "IDENTITY_NOT_FOUND", /./u)
  })

  it("is deleted with its registration by an erasure", async () => {
    const session = await approveIndividual("REG6")
    const personalData = await service.run(
      DataSubjects.use((subjects) => subjects.export(service.project.id, session.individualId))
    )
    assert.lengthOf(personalData.registrations, 1)
    await service.run(DataSubjects.use((subjects) => subjects.erase(service.project.id, session.individualId)))
    assert.deepStrictEqual(await registrationsOf(session), [])
  })
})
