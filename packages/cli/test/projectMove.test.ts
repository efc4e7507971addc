import { layerPostgresDb, migrate } from "@countersign/adapters/storage/kysely"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Exit, Redacted, Scope } from "effect"
import { temporaryDatabase } from "../../adapters/test/support/databases.ts"
import { waitUntil, waitUntilTrue } from "../../core/test/support/until.ts"
import { ServerFleet } from "../../http/test/fleet/ServerFleet.ts"
import { requestFrom } from "../../http/test/processes/startServers.ts"
import { registerOneOfEachKind, swapOf, type TestWallet } from "../../http/test/support/accounts.ts"
import { startTestService, type TestService } from "../../http/test/support/testService.ts"
import { assertCode, jsonOf, removeHome, run, temporaryHome } from "./support/commandLine.ts"

/**
 * Tests the move of a project from a service on SQLite to a process on Postgres, while an operation on two chains is
 * pending.
 */

const BASE = 8453
const USDC_ON_BASE = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"

const scope = Effect.runSync(Scope.make())
const otherHome = temporaryHome()

let service: TestService
let fleet: ServerFleet
let targetUrl: string
let wallet: TestWallet

const runCountersign = (...words: ReadonlyArray<string>) =>
  run(service.home, words, {
    RPC_URL_1: service.chains.rpcUrl(1),
    REQUEST_TIMEOUT_MS: "1000",
    TARGET_DATABASE_URL: targetUrl
  })

const setRelayer = async (mode: object) => {
  const response = await fetch(`${service.chains.gatewayUrl}/relayer`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(mode)
  })
  assert.strictEqual(response.status, 200, await response.text())
}

beforeAll(async () => {
  service = await startTestService()
  const url = await Effect.runPromise(Scope.provide(temporaryDatabase, scope))
  targetUrl = Redacted.value(url)
  await Effect.runPromise(Effect.provide(migrate(), layerPostgresDb({ url })))
  fleet = await ServerFleet.of(
    {
      home: otherHome,
      gatewayUrl: service.chains.gatewayUrl,
      chainIds: [1, BASE],
      paymasters: service.chains.paymasters,
      database: { _tag: "Postgres", url: targetUrl }
    },
    1
  )
  await fleet.start()
  const wallets = await registerOneOfEachKind(service)
  wallet = wallets.find(({ name }) => name === "SimpleAccount 0.8")!
})
afterAll(async () => {
  await fleet.stop()
  await service.stop()
  await Effect.runPromise(Scope.close(scope, Exit.void))
  removeHome(otherHome)
})

const quoteOf = async (changes: Record<string, unknown>) => {
  const { body, status } = await service.request("POST", "/api/v1/crypto/swap", swapOf(wallet, changes))
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body.quotes[0]
}

const signQuote = async (quote: Awaited<ReturnType<typeof quoteOf>>) => ({
  userOperationHash: quote.userOperationHash,
  ...(await service.signatures(wallet.privateKey, quote.signData))
})

describe("project move", () => {
  it("moves an operation in flight, which ends in the other database", async () => {
    const requestTarget = async (method: "GET" | "POST", path: string, body?: object) =>
      requestFrom(await fleet.url(0), { apiKey: service.apiKey, method, path, ...(body === undefined ? {} : { body }) })
    const statusOf = async (hash: string) => {
      const { body } = await requestTarget("GET", `/api/v1/wallets/${wallet.address}/history?userOperationHash=${hash}`)
      return body.transactions[0]?.status
    }

    await setRelayer({ mode: "OFF" })
    const crossChainQuote = await quoteOf({ chainIdOut: BASE, tokenOut: USDC_ON_BASE })
    const executeResponse = await service.request(
      "POST",
      "/api/v1/crypto/execute-user-op",
      await signQuote(crossChainQuote)
    )
    assert.strictEqual(executeResponse.status, 200, JSON.stringify(executeResponse.body))
    assert.strictEqual((await requestTarget("GET", "/api/v1/wallets")).status, 401)

    const movePromise = runCountersign("project", "move", service.project.id, "--to", targetUrl, "--json")
    await waitUntilTrue(async () => {
      const { body, headers, status } = await service.request("GET", "/api/v1/wallets")
      if (status === 200) return false
      assert.deepStrictEqual([status, body.id, headers.get("retry-after")], [503, "OVERLOADED", "30"])
      return true
    })
    const moveOutcome = await movePromise
    assertCode(moveOutcome, 0)
    const tables: ReadonlyArray<{ readonly table: string; readonly rows: number }> = jsonOf(moveOutcome).tables
    const rowsOf = (name: string) => tables.find(({ table }) => table === name)?.rows
    assert.deepStrictEqual([rowsOf("projects"), rowsOf("executions"), rowsOf("transactions")], [1, 1, 1])

    assert.strictEqual((await service.request("GET", "/api/v1/wallets")).status, 503)
    assert.strictEqual(await statusOf(crossChainQuote.userOperationHash), "ON_BRIDGE")
    await setRelayer({ mode: "FILL", delaySeconds: 0 })
    await waitUntil(
      () => statusOf(crossChainQuote.userOperationHash),
      (status) => status === "COMPLETED"
    )

    const resumeOutcome = await runCountersign("project", "move", service.project.id)
    assertCode(resumeOutcome, 0)
    assert.match(resumeOutcome.out, /is resumed in .+\. Its rows in this database are no longer used\.\n$/u)
    const listOutcome = await runCountersign("project", "list")
    assert.match(listOutcome.out, new RegExp(`${service.project.id} .* moved to \\S+ `, "u"))
    const refusal = await runCountersign("project", "move", service.project.id, "--cancel")
    assertCode(refusal, 4)
  })
})
