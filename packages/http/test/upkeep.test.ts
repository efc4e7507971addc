import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { registerOneOfEachKind, swapOf, type TestWallet } from "./support/accounts.ts"
import { assertRefusal } from "./support/refusals.ts"
import { startTestService, type TestService } from "./support/testService.ts"

/**
 * Tests features on which an operator relies: compute unit budgets, recovery from outages, and logs without personal
 * data.
 */

let service: TestService
let wallets: ReadonlyArray<TestWallet>
let wallet: TestWallet

beforeAll(async () => {
  service = await startTestService()
  wallets = await registerOneOfEachKind(service)
  wallet = wallets.find(({ name }) => name === "SimpleAccount 0.8")!
})
afterAll(() => service.stop())

const requestQuote = (changes: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  service.request("POST", "/api/v1/crypto/swap", swapOf(wallet, changes), headers)

describe("Server-Timing", () => {
  const readTimings = async (response: ReturnType<TestService["request"]>) => {
    const header = (await response).headers.get("server-timing") ?? ""
    return Object.fromEntries(
      header
        .split(", ")
        .map((entry) => entry.split(";dur="))
        .map(([name, ms]) => [name, Number(ms)])
    )
  }

  it("reports how long a quote waited for nodes and for the database, and the service's own time", async () => {
    const { database, node, own, total } = await readTimings(requestQuote())
    assert.isTrue(node! > 0 && database! > 0 && own! > 0)
    assert.closeTo(node! + database! + own!, total!, 0.2)
  })

  it("is a header of refusals, and of responses that need no node", async () => {
    assert.strictEqual((await readTimings(service.request("GET", "/healthz"))).node, 0)
    assert.isAbove((await readTimings(requestQuote({ amountIn: "-1" }))).total!, 0)
  })
})

describe("swap providers", () => {
  it("are listed with their offers and response times", async () => {
    await requestQuote()
    const { body } = await service.request("GET", "/api/v1/crypto/providers")
    const [provider] = body.providers
    assert.strictEqual(provider.provider, "SWAP_PROVIDER_A")
    assert.isAbove(provider.offered, 0)
    assert.isAbove(provider.p95Ms, 0)
    assert.isAtLeast(provider.p95Ms, provider.medianMs)
  })
})

describe("compute units", () => {
  const createSpender = async (budget: number) => {
    const { apiKey, project } = await service.newProject(null)
    const headers = { "x-api-key": apiKey }
    await service.request(
      "POST",
      "/api/v1/wallets/register",
      { externallyOwnedAccount: wallet.owner, factory: wallet.factory },
      headers
    )
    await service.setComputeUnits(project.id, budget)
    return headers
  }

  it("are returned in x-compute-units, by the kind of request", async () => {
    const readUnits = async (response: ReturnType<TestService["request"]>) =>
      (await response).headers.get("x-compute-units")
    assert.strictEqual(await readUnits(requestQuote()), "5")
    assert.strictEqual(await readUnits(requestQuote({ routeProfile: "BEST_OUTPUT" })), "25")
    assert.strictEqual(await readUnits(service.request("GET", "/api/v1/crypto/chains")), "1")
    assert.strictEqual(await readUnits(service.request("GET", `/api/v1/wallets/${wallet.address}/history`)), "1")
    assert.isNull(await readUnits(service.request("GET", "/healthz")))
  })

  it("can be used up: UNAVAILABLE_COMPUTE_UNITS names the required units, and cheaper requests still succeed", async () => {
    const headers = await createSpender(7)
    assert.strictEqual((await requestQuote({}, headers)).status, 200)
    assertRefusal(await requestQuote({}, headers), 403, "UNAVAILABLE_COMPUTE_UNITS", /costs 5 compute units.*operator/u)
    const requestChains = () => service.request("GET", "/api/v1/crypto/chains", undefined, headers)
    assert.strictEqual((await requestChains()).status, 200)
    assert.strictEqual((await requestChains()).status, 200)
    assertRefusal(await requestChains(), 403, "UNAVAILABLE_COMPUTE_UNITS")
  })

  it("are never overspent by concurrent requests", async () => {
    const headers = await createSpender(20)
    const requestChains = () => service.request("GET", "/api/v1/crypto/chains", undefined, headers)
    const responses = await Promise.all(Array.from({ length: 50 }, requestChains))
    assert.strictEqual(responses.filter(({ status }) => status === 200).length, 20)
    assert.strictEqual(responses.filter(({ body }) => body.id === "UNAVAILABLE_COMPUTE_UNITS").length, 30)
  })

  it("are not charged for malformed or forbidden requests", async () => {
    const headers = await createSpender(5)
    assert.strictEqual((await requestQuote({ amountIn: "x" }, headers)).status, 400)
    assert.strictEqual((await service.request("GET", "/api/v1/nowhere", undefined, headers)).status, 404)
    assert.strictEqual((await requestQuote({}, headers)).status, 200)
  })
})

describe("a node that is down", () => {
  afterAll(() => service.takeNodeDown(false))

  it("makes a quote return SWAP_QUOTE and name the unavailable source; the service stays up and recovers", async () => {
    assert.strictEqual((await requestQuote()).status, 200)
    service.takeNodeDown(true)
    assertRefusal(await requestQuote(), 500, "SWAP_QUOTE", /Ethereum.*unavailable|On-chain pools.*Ethereum/u)
    for (const path of ["/healthz", "/readyz", "/api/v1/crypto/chains", `/api/v1/wallets/${wallet.address}/history`]) {
      assert.strictEqual((await service.request("GET", path)).status, 200, path)
    }
    // Succeeds, because `deployed` omits a chain that cannot be read.
    assert.strictEqual((await service.request("GET", `/api/v1/wallets/${wallet.address}`)).status, 200)
    service.takeNodeDown(false)
    const secondResponse = await requestQuote()
    assert.strictEqual(secondResponse.status, 200, JSON.stringify(secondResponse.body))
  })

  it("makes an execution fail with UPSTREAM_UNAVAILABLE, and a retry succeeds", async () => {
    const { body } = await requestQuote()
    const [firstQuote] = body.quotes
    const requestExecution = async () =>
      service.request("POST", "/api/v1/crypto/execute-user-op", {
        userOperationHash: firstQuote.userOperationHash,
        ...(await service.signatures(wallet.privateKey, firstQuote.signData))
      })
    service.takeNodeDown(true)
    assertRefusal(await requestExecution(), 502, "UPSTREAM_UNAVAILABLE", /Ethereum.*Try again/u)
    service.takeNodeDown(false)
    assert.strictEqual((await requestExecution()).status, 200)
    assert.strictEqual((await service.settled(wallet.address, firstQuote.userOperationHash)).status, "COMPLETED")
  })
})

/** Returns the private keys in an object of keys, or of groups of keys. */
const privateKeysOf = (keys: object): ReadonlyArray<string> =>
  "privateKey" in keys ? [String(keys.privateKey)] : Object.values(keys).flatMap(privateKeysOf)

describe("the log", () => {
  it("contains one line per request with its id and route, and no key, signature or address", async () => {
    const { body } = await requestQuote({ metadata: { note: "private-note-of-somebody" } })
    const [firstQuote] = body.quotes
    const signatures = await service.signatures(wallet.privateKey, firstQuote.signData)
    await service.request(
      "POST",
      "/api/v1/crypto/execute-user-op",
      { userOperationHash: firstQuote.userOperationHash, ...signatures },
      { "x-request-id": "logged-once" }
    )
    await service.settled(wallet.address, firstQuote.userOperationHash)
    await service.request("GET", `/api/v1/wallets/${wallet.address}?secret=1`)

    const lines = service.logLines.filter((line) => line.includes("logged-once"))
    assert.strictEqual(lines.length, 1, lines.join("\n"))
    assert.include(lines[0]!, "/api/v1/crypto/execute-user-op")
    assert.include(lines[0]!, service.project.id)

    const allLines = service.logLines.join("\n").toLowerCase()
    assert.isAbove(service.logLines.length, 50)
    const secrets = [
      service.apiKey,
      service.apiKey.split("_")[3]!,
      signatures.signature,
      "private-note-of-somebody",
      ...wallets.flatMap(({ address, owner, privateKey }) => [address, owner, privateKey]),
      ...privateKeysOf(service.chains.keys)
    ]
    for (const secret of secrets) assert.notInclude(allLines, secret.toLowerCase())
    assert.notMatch(allLines, /0x[0-9a-f]{130}/u)
  })
})
