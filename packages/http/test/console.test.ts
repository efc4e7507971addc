import { endpoints } from "@countersign/adapters/api/endpoints"
import { HistoryStore } from "@countersign/core/accounting/history"
import { aTransaction } from "@countersign/core/contracts/accounting/history/HistoryStore"
import { anExecution } from "@countersign/core/contracts/operations/executions/ExecutionStore"
import { aQuote } from "@countersign/core/contracts/operations/quotes/QuoteStore"
import { aGasEntry } from "@countersign/core/contracts/operations/unpaid-gas/UnpaidGasStore"
import { ExecutionStore } from "@countersign/core/operations/executions"
import { QuoteStore } from "@countersign/core/operations/quotes"
import { UnpaidGasStore } from "@countersign/core/operations/unpaid-gas"
import { type ProjectId, Projects } from "@countersign/core/tenancy/projects"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { registerOneOfEachKind, swapOf } from "./support/accounts.ts"
import { startTestService, type TestResponse, type TestService } from "./support/testService.ts"
import {
  BUSINESSES,
  business,
  INDIVIDUALS,
  PDF,
  person,
  startSession,
  submitVerification
} from "./support/verifications.ts"

/** Tests the endpoints of the operator console. Approvals require two reviewers. */

const ADMIN = "/api/v1/admin"
const SESSIONS = `${ADMIN}/identity-sessions`

let service: TestService
let otherProject: Awaited<ReturnType<TestService["newProject"]>>

beforeAll(async () => {
  service = await startTestService({ isFourEyes: true })
  otherProject = await service.newProject(null, ["admin"])
})
afterAll(() => service.stop())

const createKey = async (...scopes: ReadonlyArray<"read" | "kyc">) => {
  const creation = await service.request("POST", `${ADMIN}/keys`, { name: `key with ${scopes}`, scopes })
  assert.strictEqual(creation.status, 201, JSON.stringify(creation.body))
  return { id: creation.body.key.id as string, text: creation.body.apiKey as string }
}

/**
 * Creates a reviewer's key as the operator, because with two-reviewer approval no endpoint grants the scope `admin`.
 */
const createAdminKey = async (projectId: ProjectId, expiresAt: DateTime.Utc | null = null) => {
  const request = { name: "reviewer", environment: "live", scopes: ["admin"], expiresAt } as const
  const { key, text } = await service.run(Projects.use((projects) => projects.createKey(projectId, request)))
  return { id: key.id, text }
}
const createReviewerKey = () => createAdminKey(service.project.id)

const requestAs = (key: string, method: string, path: string, body?: unknown) =>
  service.request(method, path, body, { "x-api-key": key })

const readBody = async (path: string, key = service.apiKey): Promise<TestResponse["body"]> => {
  const { body, status } = await requestAs(key, "GET", path)
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body
}

const assertRejected = ({ body, status }: TestResponse, expected: number, id: string) =>
  assert.deepStrictEqual([status, body.id], [expected, id])

describe("the scopes of the console", () => {
  const pathOf = (template: string) =>
    template.replace(":sessionId", "kyc_0").replace(":documentId", "front").replace(":keyId", "0123456789abcdef")

  it.each(Object.values(endpoints.admin))("$id requires its scope, and the refusal is logged", async (endpoint) => {
    const { method, path: template, scope } = endpoint
    const { text: readerKey } = await createKey("read", "kyc")
    const body = method === "POST" ? {} : undefined
    assertRejected(await requestAs(readerKey, method, pathOf(template), body), 403, "FORBIDDEN_SCOPE")
    const logLine = service.logLines.findLast((one) => one.includes(`"route":"${template}"`))
    assert.include(logLine, '"status":403')
    const adminResponse = await requestAs(otherProject.apiKey, method, pathOf(template), body)
    if (scope === "operator") assertRejected(adminResponse, 403, "FORBIDDEN_SCOPE")
    else assert.notStrictEqual(adminResponse.status, 403)
  })

  it("restrict installation data to `operator`, which no endpoint grants", async () => {
    const operatorKey = await otherProject.keyWith(["operator"])
    for (const name of ["projects", "balances", "installation-work"]) await readBody(`${ADMIN}/${name}`, operatorKey)
    assertRejected(await requestAs(operatorKey, "GET", `${ADMIN}/keys`), 403, "FORBIDDEN_SCOPE")
    for (const key of [otherProject.apiKey, service.apiKey]) {
      const grantResponse = await requestAs(key, "POST", `${ADMIN}/keys`, { name: "more", scopes: ["operator"] })
      assertRejected(grantResponse, 400, "BAD_REQUEST")
    }
  })
})

describe("the keys of a project", () => {
  it("are created, used, listed without their secrets, and revoked once", async () => {
    const { id, text } = await createKey("read")
    await readBody("/api/v1/wallets", text)
    const { keys } = await readBody(`${ADMIN}/keys`)
    const listedKey = keys.find((key: { readonly id: string }) => key.id === id)
    assert.deepInclude(listedKey, { name: "key with read", scopes: ["read"], environment: "live", revokedAt: null })
    assert.isString(listedKey.lastUsedAt)
    assert.notInclude(JSON.stringify(keys), text.slice(-38))
    assert.notMatch(JSON.stringify(keys), /hash/u)
    assert.strictEqual((await service.request("DELETE", `${ADMIN}/keys/${id}`)).status, 204)
    assertRejected(await requestAs(text, "GET", "/api/v1/wallets"), 401, "INVALID_API_KEY")
    assertRejected(await service.request("DELETE", `${ADMIN}/keys/${id}`), 404, "API_KEY_NOT_FOUND")
  })

  it("cannot grant `admin` with two-reviewer approval, because one reviewer could then approve with two keys", async () => {
    const { text } = await createReviewerKey()
    const grantResponse = await requestAs(text, "POST", `${ADMIN}/keys`, {
      name: "my second key",
      scopes: ["read", "admin"]
    })
    assertRejected(grantResponse, 400, "BAD_REQUEST")
    assert.strictEqual(grantResponse.body.errors[0].path, "body.scopes")
    assert.include(grantResponse.body.errors[0].message, "countersign key create --scope admin")
  })

  it("are shown once under an idempotency key, and stop working when they expire", async () => {
    const body = { name: "short", scopes: ["read"], expiresInSeconds: 60 }
    const create = () => service.request("POST", `${ADMIN}/keys`, body, { "idempotency-key": "console-key" })
    const [first, second] = [await create(), await create()]
    assert.isString(first.body.apiKey)
    assert.deepStrictEqual(second.body, { ...first.body, apiKey: null })
    assert.strictEqual(first.headers.get("cache-control"), "no-store")
    const seconds = (Date.parse(first.body.key.expiresAt) - Date.parse(first.body.key.createdAt)) / 1_000
    assert.strictEqual(Math.round(seconds), 60)
  })

  it("expire no later than the key that creates them", async () => {
    const tomorrow = DateTime.add(await service.run(DateTime.now), { days: 1 })
    const { id, text } = await createAdminKey(service.project.id, tomorrow)
    const create = (body: object) =>
      requestAs(text, "POST", `${ADMIN}/keys`, { name: "child", scopes: ["read"], ...body })
    const lateKeyResponse = await create({ expiresInSeconds: 172_800 })
    assertRejected(lateKeyResponse, 400, "BAD_REQUEST")
    assert.strictEqual(lateKeyResponse.body.errors[0].path, "body.expiresInSeconds")
    const hourResponse = await create({ expiresInSeconds: 3_600 })
    assert.isBelow(Date.parse(hourResponse.body.key.expiresAt), DateTime.toEpochMillis(tomorrow))
    const childResponse = await create({})
    assert.strictEqual(childResponse.body.key.expiresAt, DateTime.formatIso(tomorrow))
    assert.notStrictEqual(childResponse.body.key.id, id)
  })

  it("do not include keys of another project", async () => {
    const { keys } = await readBody(`${ADMIN}/keys`, otherProject.apiKey)
    assert.notInclude(JSON.stringify(keys), service.project.id)
    assertRejected(
      await requestAs(otherProject.apiKey, "DELETE", `${ADMIN}/keys/${(await createKey("read")).id}`),
      404,
      "API_KEY_NOT_FOUND"
    )
  })
})

/** Stores an execution that has been late since 1970, without a worker. */
const insertLateExecution = async (projectId: ProjectId) => {
  const quote = aQuote({ projectId })
  const { stages, ...execution } = anExecution({}, quote)
  const lateAt = DateTime.makeUnsafe(0)
  const wait = { waitsFor: "BRIDGE", awaited: "the fill on the other chain", lateAt } as const
  const lateExecution = {
    ...execution,
    stages: [{ ...stages[0]!, name: "a bridge of the test", wait }, ...stages.slice(1)]
  }
  await service.run(
    Effect.gen(function* () {
      yield* (yield* QuoteStore).insert([quote])
      yield* (yield* ExecutionStore).insert(lateExecution)
      // A claim until this date prevents workers from running the execution.
      const pausedUntil = DateTime.makeUnsafe("2999-01-01T00:00:00Z")
      yield* (yield* ExecutionStore).claim({
        worker: "test",
        now: yield* DateTime.now,
        leaseUntil: pausedUntil,
        limit: 100
      })
    })
  )
  return lateExecution
}

describe("the work of a project", () => {
  it("shows pending operations by stage with their age, and late ones with what to do, of this project only", async () => {
    const { id } = await insertLateExecution(service.project.id)
    const work = await readBody(`${ADMIN}/work`)
    const stage = work.stages.find((one: { readonly stage: string }) => one.stage === "a bridge of the test")
    assert.deepInclude(stage, { waitsFor: "BRIDGE", count: 1, lateCount: 1 })
    assert.isFalse(Number.isNaN(Date.parse(stage.oldestAt)))
    const [lateEntry] = work.late.filter((one: { readonly transactionId: string }) => one.transactionId === id)
    assert.deepInclude(lateEntry, {
      projectId: service.project.id,
      stage: "a bridge of the test",
      waitsFor: "the fill on the other chain",
      lateSince: "1970-01-01T00:00:00.000Z"
    })
    assert.include(lateEntry.whatToDo, "at the bridge")
    const otherBody = await readBody(`${ADMIN}/work`, otherProject.apiKey)
    assert.deepStrictEqual(otherBody, { stages: [], reviews: [], late: [], failed: [] })
    const allWork = await readBody(`${ADMIN}/installation-work`)
    assert.include(JSON.stringify(allWork.late), id)
  })

  it("costs compute units, but the request that shows the budgets is free", async () => {
    const limitedProject = await service.newProject(null, ["admin"])
    await service.setComputeUnits(limitedProject.project.id, 1)
    await readBody(`${ADMIN}/work`, limitedProject.apiKey)
    assertRejected(await requestAs(limitedProject.apiKey, "GET", `${ADMIN}/work`), 403, "UNAVAILABLE_COMPUTE_UNITS")
    assert.strictEqual((await readBody(`${ADMIN}/budgets`, limitedProject.apiKey)).computeUnits, 0)
  })

  it("shows failed operations with their reason and what to do", async () => {
    const failure = { code: "REVERTED", message: "Too little received" }
    const transaction = aTransaction({ projectId: service.project.id, status: "FAILED", failure })
    await service.run(HistoryStore.use((store) => store.insert(transaction)))
    const { failed } = await readBody(`${ADMIN}/work`)
    const [shownFailure] = failed.filter(
      ({ transactionId }: Record<string, string>) => transactionId === transaction.id
    )
    assert.deepInclude(shownFailure, { code: "REVERTED", reason: "Too little received" })
    assert.include(shownFailure.whatToDo, "new quote")
    assert.deepStrictEqual((await readBody(`${ADMIN}/work`, otherProject.apiKey)).failed, [])
  })

  it("shows its budgets and the wallets that left gas unpaid", async () => {
    const gasEntryAt = await service.run(DateTime.now)
    const gasEntry = aGasEntry({ projectId: service.project.id, at: gasEntryAt })
    await service.run(UnpaidGasStore.use((store) => store.record(gasEntry)))
    const { unpaidGas, wallets } = await readBody(`${ADMIN}/budgets`)
    assert.strictEqual(Math.round(Number(unpaidGas.currentUsd)), Math.round(Number(gasEntry.usd)))
    assert.isAbove(Number(unpaidGas.usdPerDay), 0)
    assert.deepInclude(wallets[0], { walletAddress: gasEntry.walletAddress, owner: gasEntry.owner, count: 1 })
    const otherBody = await readBody(`${ADMIN}/budgets`, otherProject.apiKey)
    assert.deepStrictEqual([otherBody.wallets, Number(otherBody.unpaidGas.currentUsd)], [[], 0])
  })
})

describe("the balances of the installation", () => {
  it("have no estimate of days left until something is spent", async () => {
    const balancesBefore = (await readBody(`${ADMIN}/balances`)).balances
    const balancesOfKind = (balances: ReadonlyArray<Record<string, unknown>>, kind: string) =>
      balances.filter((balance) => balance.kind === kind && balance.chainId === 1)
    assert.deepStrictEqual(
      balancesOfKind(balancesBefore, "OPERATOR").map(({ entryPointVersion }) => entryPointVersion),
      ["0.7", "0.8"]
    )
    for (const balance of balancesBefore) {
      assert.isAbove(Number(balance.amount), 0, JSON.stringify(balance))
      assert.isAbove(balance.operationsLeft, 0)
      assert.deepInclude(balance, { symbol: "ETH", daysLeft: null })
    }
    const [wallet] = await registerOneOfEachKind(service)
    const { body } = await service.request("POST", "/api/v1/crypto/swap", swapOf(wallet!, { slippage: 10 }))
    const [{ signData, userOperationHash }] = body.quotes
    await service.request("POST", "/api/v1/crypto/execute-user-op", {
      userOperationHash,
      ...(await service.signatures(wallet!.privateKey, signData))
    })
    assert.strictEqual((await service.settled(wallet!.address, userOperationHash)).status, "COMPLETED")
    const [paymaster] = balancesOfKind((await readBody(`${ADMIN}/balances`)).balances, "PAYMASTER")
    const amount = Number(paymaster!.amount)
    const spentAmount = Number(paymaster!.spentAmount)
    assert.isAbove(spentAmount, 0)
    assert.isBelow(amount, Number(balancesOfKind(balancesBefore, "PAYMASTER")[0]!.amount))
    assert.strictEqual(paymaster!.daysLeft, Math.floor(amount / spentAmount))
  })

  it("are null while the nodes of the chain do not respond", async () => {
    service.takeNodeDown(true)
    const { balances } = await readBody(`${ADMIN}/balances`)
    service.takeNodeDown(false)
    assert.isNotEmpty(balances)
    for (const balance of balances) assert.deepInclude(balance, { amount: null, daysLeft: null, operationsLeft: null })
  })

  it("are available together with the list of all projects", async () => {
    const { projects } = await readBody(`${ADMIN}/projects`)
    const ids = projects.map(({ id }: { readonly id: string }) => id)
    assert.includeMembers(ids, [service.project.id, otherProject.project.id])
  })
})

describe("the review of identities", () => {
  it("shows data and documents, and logs who has opened them", async () => {
    const startResponse = await submitVerification(service, INDIVIDUALS, { ...person, documentId: "CONSOLE1" })
    const { id: sessionId, individualId } = startResponse.session
    const reviewer = await createReviewerKey()
    const { sessions } = await readBody(`${SESSIONS}?status=IN_REVIEW&take=1`, reviewer.text)
    assert.deepInclude(sessions[0], { sessionId, identityId: individualId, status: "IN_REVIEW", kind: "individual" })
    assert.notInclude(JSON.stringify(sessions), person.firstName)

    const { documents, otherSessions, parts } = await readBody(`${SESSIONS}/${sessionId}`, reviewer.text)
    assert.deepStrictEqual(
      documents.map(({ documentId, isUploaded }: Record<string, unknown>) => [documentId, isUploaded]),
      [
        ["front", true],
        ["back", true],
        ["proofOfAddress", true]
      ]
    )
    assert.deepInclude(parts[0].personal, { name: "firstName", value: person.firstName })
    assert.deepStrictEqual([parts[0].approvedBy, otherSessions], [[], []])

    const response = await fetch(`${service.baseUrl}${SESSIONS}/${sessionId}/documents/front`, {
      headers: { "x-api-key": reviewer.text }
    })
    assert.deepStrictEqual(Buffer.from(await response.arrayBuffer()), PDF)
    const headers = Object.fromEntries(response.headers)
    assert.deepInclude(headers, {
      "content-type": "application/pdf",
      "cache-control": "no-store",
      "content-disposition": `attachment; filename="${sessionId}-front.pdf"`,
      "x-content-type-options": "nosniff"
    })
    assert.match(headers["content-security-policy"]!, /default-src 'none'.*sandbox/u)

    const { accesses } = await readBody(`${ADMIN}/personal-data-accesses?identityId=${individualId}`)
    const actions = accesses.flatMap(({ action, reader }: Record<string, string>) =>
      reader === reviewer.id ? [action] : []
    )
    assert.sameMembers(actions, ["SHOWN", "DOCUMENTS_OPENED"])
    assert.deepStrictEqual((await readBody(`${ADMIN}/personal-data-accesses`, otherProject.apiKey)).accesses, [])
  })

  it("returns 404 for an unknown session, document or owner, and for those of another project", async () => {
    const startResponse = await startSession(service, INDIVIDUALS, { ...person, documentId: "CONSOLE2" })
    const path = `${SESSIONS}/${startResponse.session.id}`
    assertRejected(await service.request("GET", `${path}/documents/front`), 404, "VERIFICATION_DOCUMENT_NOT_FOUND")
    assertRejected(await service.request("GET", `${path}/documents/x`), 404, "VERIFICATION_DOCUMENT_NOT_FOUND")
    const approval = await service.request("POST", `${path}/approve`, { ownerId: "own_none" })
    assertRejected(approval, 404, "VERIFICATION_OWNER_NOT_FOUND")
    assertRejected(await service.request("POST", `${path}/approve`, {}), 409, "VERIFICATION_SESSION_STATE")
    assertRejected(await service.request("POST", `${path}/reject`, {}), 400, "BAD_REQUEST")
    for (const [method, suffix, body] of [
      ["GET", "", undefined],
      ["GET", "/documents/front", undefined],
      ["POST", "/approve", {}],
      ["POST", "/reject", { reason: "no" }]
    ] as const) {
      assertRejected(
        await requestAs(otherProject.apiKey, method, path + suffix, body),
        404,
        "VERIFICATION_SESSION_NOT_FOUND"
      )
    }
    assert.deepStrictEqual((await readBody(SESSIONS, otherProject.apiKey)).sessions, [])
  })

  it("does not return a response to another reviewer who uses the same idempotency key", async () => {
    const [first, second] = [await createReviewerKey(), await createReviewerKey()]
    const { session } = await submitVerification(service, INDIVIDUALS, { ...person, documentId: "CONSOLE8" })
    const approve = (key: string, idempotencyKey: string) => {
      const headers = { "x-api-key": key, "idempotency-key": idempotencyKey }
      return service.request("POST", `${SESSIONS}/${session.id}/approve`, {}, headers)
    }
    const response = await approve(first.text, "approve-4")
    assert.strictEqual(response.body.session.status, "IN_REVIEW")
    assert.deepStrictEqual((await approve(first.text, "approve-4")).body, response.body)
    assertRejected(await approve(second.text, "approve-4"), 409, "IDEMPOTENCY_KEY_REUSED")
    assert.strictEqual((await approve(second.text, "approve-5")).body.session.status, "COMPLETED")
  })

  it("completes an approval with the second reviewer, and rejects a second approval of the same reviewer", async () => {
    const [first, second] = [await createReviewerKey(), await createReviewerKey()]
    const { session } = await submitVerification(service, INDIVIDUALS, { ...person, documentId: "CONSOLE3" })
    const approve = (key: string, id: string, body = {}) => requestAs(key, "POST", `${SESSIONS}/${id}/approve`, body)
    for (const attempt of [1, 2]) {
      const { body } = await approve(first.text, session.id)
      assert.deepStrictEqual([body.session.status, body.waitsFor], ["IN_REVIEW", [null]], `${attempt}`)
    }
    assert.deepStrictEqual((await readBody(`${SESSIONS}/${session.id}`)).parts[0].approvedBy, [first.id])
    const decision = await approve(second.text, session.id)
    assert.deepStrictEqual([decision.body.session.status, decision.body.waitsFor], ["COMPLETED", []])
    assertRejected(
      await requestAs(first.text, "POST", `${SESSIONS}/${session.id}/reject`, { reason: "Too late" }),
      409,
      "VERIFICATION_SESSION_STATE"
    )

    const rejectedSubmission = await submitVerification(service, INDIVIDUALS, { ...person, documentId: "CONSOLE4" })
    const { body } = await requestAs(first.text, "POST", `${SESSIONS}/${rejectedSubmission.session.id}/reject`, {
      reason: "Too dark"
    })
    assert.deepInclude(body.session, { status: "FAILED", reason: "Too dark" })
  })

  it("requires two reviewers for a business and for each owner", async () => {
    const keys = [await createReviewerKey(), await createReviewerKey()]
    const owners = [{ ...person, documentId: "CONSOLE5" }]
    const startResponse = await submitVerification(service, BUSINESSES, {
      ...business,
      documentId: "00000000000191",
      owners
    })
    const [{ ownerId }] = startResponse.ownersDocuments
    const approve = async (key: number, part: string | null) => {
      const path = `${SESSIONS}/${startResponse.session.id}/approve`
      return (await requestAs(keys[key]!.text, "POST", path, { ownerId: part })).body
    }
    assert.deepStrictEqual((await approve(0, null)).waitsFor, [null, ownerId])
    assert.deepStrictEqual((await approve(1, ownerId)).waitsFor, [null, ownerId])
    assert.deepStrictEqual((await approve(1, null)).waitsFor, [ownerId])
    assert.strictEqual((await approve(0, ownerId)).session.status, "COMPLETED")
  })
})
