import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { registerOneOfEachKind, swapOf, type TestWallet } from "./support/accounts.ts"
import { startTestService, type TestService } from "./support/testService.ts"

/** Tests state that several requests share: idempotency keys, compute units, metrics and limits. */

let service: TestService
let wallets: ReadonlyArray<TestWallet>

beforeAll(async () => {
  service = await startTestService()
  wallets = await registerOneOfEachKind(service)
})
afterAll(() => service.stop())

const register = (salt: string, key: string, apiKey = service.apiKey) =>
  service.request(
    "POST",
    "/api/v1/wallets/register",
    { externallyOwnedAccount: wallets[0]!.owner, factory: wallets[0]!.factory, salt },
    { "idempotency-key": key, "x-api-key": apiKey }
  )

describe("Idempotency-Key", () => {
  it("replays the response to the same request", async () => {
    const firstResponse = await register("101", "a")
    const secondResponse = await register("101", "a")
    assert.strictEqual(firstResponse.status, 201)
    assert.strictEqual(secondResponse.status, 201)
    assert.deepStrictEqual(secondResponse.body, firstResponse.body)
    assert.isNull(firstResponse.headers.get("idempotent-replayed"))
    assert.strictEqual(secondResponse.headers.get("idempotent-replayed"), "true")
  })

  it("replays a refusal, too", async () => {
    await register("101", "b")
    const secondResponse = await register("101", "b")
    assert.strictEqual(secondResponse.status, 400)
    assert.strictEqual(secondResponse.body.id, "WALLET_ALREADY_REGISTERED")
    assert.strictEqual(secondResponse.headers.get("idempotent-replayed"), "true")
  })

  it("executes concurrent equal requests once", async () => {
    const responses = await Promise.all(Array.from({ length: 8 }, () => register("102", "c")))
    for (const response of responses) {
      assert.strictEqual(response.status, 201, JSON.stringify(response.body))
      assert.deepStrictEqual(response.body, responses[0]!.body)
    }
    assert.strictEqual(responses.filter(({ headers }) => headers.get("idempotent-replayed") === null).length, 1)
  })

  it("rejects another request with the same key", async () => {
    await register("103", "d")
    const conflictResponse = await register("104", "d")
    assert.strictEqual(conflictResponse.status, 409)
    assert.strictEqual(conflictResponse.body.id, "IDEMPOTENCY_KEY_REUSED")
  })

  it("belongs to one project", async () => {
    const otherProject = await service.newProject(null)
    const ownResponse = await register("105", "e")
    const otherResponse = await register("105", "e", otherProject.apiKey)
    assert.strictEqual(ownResponse.status, 201)
    assert.strictEqual(otherResponse.status, 201)
    assert.isNull(otherResponse.headers.get("idempotent-replayed"))
  })

  it("does not replay a response to an API key without the scope, nor the rejection of another API key", async () => {
    const { apiKey: adminKey, keyWith } = await service.newProject(null)
    const readerKey = await keyWith(["read", "quote", "execute"])
    const createWebhook = (apiKey: string, key: string) =>
      service.request(
        "POST",
        "/api/v1/webhooks",
        { url: "https://example.com/hook" },
        { "idempotency-key": key, "x-api-key": apiKey }
      )
    const creation = await createWebhook(adminKey, "f")
    assert.strictEqual(creation.status, 201)
    const refusal = await createWebhook(readerKey, "f")
    assert.deepStrictEqual([refusal.status, refusal.body.id], [403, "FORBIDDEN_SCOPE"])
    assert.isNull(refusal.headers.get("idempotent-replayed"))
    assert.notInclude(JSON.stringify(refusal.body), "whsec_")
    assert.deepStrictEqual((await createWebhook(adminKey, "f")).body, { ...creation.body, secret: null })

    assert.strictEqual((await createWebhook(readerKey, "g")).status, 403)
    const allowedResponse = await createWebhook(adminKey, "g")
    assert.deepStrictEqual([allowedResponse.status, allowedResponse.headers.get("idempotent-replayed")], [201, null])
  })

  it("allows a retry after UNAVAILABLE_COMPUTE_UNITS", async () => {
    const { apiKey, project } = await service.newProject(null)
    await register("107", "h", apiKey)
    const requestQuote = async () => {
      const { owner, factory } = wallets[0]!
      const query = `externallyOwnedAccount=${owner}&factory=${factory}&salt=107`
      const lookupResponse = await service.request("GET", `/api/v1/wallets/address?${query}`, undefined, {
        "x-api-key": apiKey
      })
      const body = swapOf({ address: lookupResponse.body.wallet?.walletAddress ?? wallets[0]!.address })
      return service.request("POST", "/api/v1/crypto/swap", body, { "idempotency-key": "poor", "x-api-key": apiKey })
    }
    await service.setComputeUnits(project.id, 1)
    const refusedResponse = await requestQuote()
    assert.deepStrictEqual([refusedResponse.status, refusedResponse.body.id], [403, "UNAVAILABLE_COMPUTE_UNITS"])
    await service.setComputeUnits(project.id, null)
    assert.notStrictEqual((await requestQuote()).status, 403)
  })

  it("returns the same quote again", async () => {
    const requestQuote = () =>
      service.request("POST", "/api/v1/crypto/swap", swapOf(wallets[0]!), { "idempotency-key": "quote" })
    const firstResponse = await requestQuote()
    const secondResponse = await requestQuote()
    assert.strictEqual(firstResponse.body.quotes[0].quoteId, secondResponse.body.quotes[0].quoteId)
  })

  it("is rejected if it is malformed", async () => {
    const { body, status } = await register("106", "with space")
    assert.strictEqual(status, 400)
    assert.strictEqual(body.errors[0].path, "headers.idempotency-key")
  })

  it("is checked after the API key", async () => {
    const { status } = await register("101", "a", "cs_live_wrong")
    assert.strictEqual(status, 401)
  })

  it("allows a retry after a failure of the service", async () => {
    const requestQuote = () =>
      service.request("POST", "/api/v1/crypto/swap", swapOf(wallets[1]!), { "idempotency-key": "retry" })
    service.takeNodeDown(true)
    const failedResponse = await requestQuote()
    service.takeNodeDown(false)
    assert.strictEqual(failedResponse.status, 500)
    assert.strictEqual((await requestQuote()).status, 200)
  })
})

describe("limits", () => {
  it("reject JSON that is nested too deeply, and state the limit", async () => {
    const deepJson = `${'{"metadata":'.repeat(40)}1${"}".repeat(40)}`
    const { body, status } = await service.request("POST", "/api/v1/crypto/swap", deepJson)
    assert.strictEqual(status, 400)
    assert.strictEqual(body.errors[0].code, "too_deep")
    assert.include(body.message, "32")
  })
})

describe("GET /metrics", () => {
  it("counts requests by route and quotes by outcome, in the Prometheus format", async () => {
    await service.request("POST", "/api/v1/crypto/swap", swapOf(wallets[0]!))
    const { body, headers } = await service.request("GET", "/metrics")
    assert.include(headers.get("content-type"), "text/plain")
    assert.match(body, /http_server_request_duration_seconds_count\{[^}]*route="\/api\/v1\/crypto\/swap"[^}]*\} \d+/u)
    assert.match(body, /swap_quotes_total\{[^}]*outcome="executable"[^}]*\} \d+/u)
    assert.match(body, /countersign_pending\{kind="inclusion",waits_for="CHAIN"\} 0/u)
    assert.match(body, /rpc_host_up\{[^}]*chain="1"[^}]*\} 1/u)
    assert.notInclude(body, wallets[0]!.address)
  })
})
