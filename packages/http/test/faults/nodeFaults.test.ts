import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { FaultProxy } from "../../../adapters/test/faults/FaultProxy.ts"
import { waitUntilTrue } from "../../../core/test/support/until.ts"
import { registerOneOfEachKind, swapOf, type TestWallet } from "../support/accounts.ts"
import { askChain } from "../support/askChain.ts"
import { startTestService, type TestResponse, type TestService } from "../support/testService.ts"
import { type FaultCase, faultCases } from "./nodeFaults.ts"

/** Tests the complete service while a chain's node fails in every way that nodes do. */

const SEARCHES = 3

/**
 * The service waits the complete timeout for a hanging node. A working node needs only a fraction of it, even on a busy
 * machine.
 */
const rpcLimits = {
  timeoutMs: 5_000,
  deadlineMs: 10_000,
  cooldownMs: 100,
  longestCooldownMs: 1_000,
  surveyMs: 200,
  witnessPatienceMs: 500
}

interface FaultFixture {
  readonly service: TestService
  readonly proxy: FaultProxy
  readonly wallet: TestWallet
  /** Clears the state that the service stores about its nodes, so that each case starts without it. */
  readonly meetAnew: () => void
  readonly stop: () => Promise<void>
}

const start = async (otherUrls: (sandboxUrl: string) => ReadonlyArray<string>): Promise<FaultFixture> => {
  let target = ""
  let round = 0
  const proxy = await FaultProxy.start(() => target)
  const service = await startTestService({
    rpcLimits,
    rpcUrls: (sandboxUrl) => {
      target = sandboxUrl
      return [`${proxy.url}/${round}`, ...otherUrls(sandboxUrl)]
    }
  })
  const [wallet] = await registerOneOfEachKind(service)
  // Mines blocks, so that a node that is 20 blocks behind also has the wallet.
  await askChain(target, "anvil_mine", "0x14")
  const setting: FaultFixture = {
    service,
    proxy,
    wallet: wallet!,
    meetAnew: () => {
      round += 1
      proxy.fault = { _tag: "None" }
      proxy.requestedMethods.length = 0
      // Ignores requests of the previous case that are still in flight.
      proxy.countedPath = `/${round}`
    },
    stop: async () => {
      await service.stop()
      await proxy.stop()
    }
  }
  // Deploys the account first, because only one of two operations that both deploy an account can succeed.
  const firstQuote = assertOk(await requestQuote(setting))
  assertOk(await execute(setting, firstQuote))
  await assertCompletes(setting, firstQuote)
  return setting
}

const requestQuote = ({ service, wallet }: FaultFixture): Promise<TestResponse> =>
  service.request("POST", "/api/v1/crypto/swap", swapOf(wallet, { amountIn: "10", slippage: 1 }))

const execute = async ({ service, wallet }: FaultFixture, { body }: TestResponse): Promise<TestResponse> =>
  service.request("POST", "/api/v1/crypto/execute-user-op", {
    userOperationHash: body.quotes[0].userOperationHash,
    ...(await service.signatures(wallet.privateKey, body.quotes[0].signData))
  })

const assertOk = (response: TestResponse): TestResponse => {
  assert.strictEqual(response.status, 200, JSON.stringify(response.body))
  return response
}

const settledTransactionOf = ({ service, wallet }: FaultFixture, quoteResponse: TestResponse) =>
  service.settled(wallet.address, quoteResponse.body.quotes[0].userOperationHash)

const assertCompletes = async (setting: FaultFixture, quoteResponse: TestResponse): Promise<void> => {
  const [{ amountOut }] = quoteResponse.body.quotes
  const transaction = await settledTransactionOf(setting, quoteResponse)
  assert.strictEqual(transaction.status, "COMPLETED", JSON.stringify(transaction.failure))
  assert.strictEqual(transaction.receivedAmount.amount, amountOut)
}

/** Maximum duration of a request. It is long, so that the test also passes on a slow machine. */
const MAX_DURATION_MS = 60_000

const assertEndsInTime = async <A>(work: () => Promise<A>): Promise<A> => {
  const startedAt = performance.now()
  const result = await work()
  assert.isBelow(performance.now() - startedAt, MAX_DURATION_MS)
  return result
}

describe("with a second node, a service", () => {
  let setting: FaultFixture
  beforeAll(async () => {
    setting = await start((sandboxUrl) => [sandboxUrl])
  })
  afterAll(() => setting.stop())

  it.each(faultCases)("quotes and executes as usual when the first $name", async ({ fault }) => {
    const { meetAnew, proxy } = setting
    meetAnew()
    assertOk(await requestQuote(setting))
    assert.include(proxy.requestedMethods, "eth_call", "the first node is the one that is used")

    proxy.fault = fault
    for (let swaps = 0; swaps < 2; swaps++) {
      const quoteResponse = assertOk(await assertEndsInTime(() => requestQuote(setting)))
      assertOk(await execute(setting, quoteResponse))
      await assertCompletes(setting, quoteResponse)
    }

    proxy.fault = { _tag: "None" }
    await waitUntilTrue(async () => {
      proxy.requestedMethods.length = 0
      assertOk(await requestQuote(setting))
      return proxy.requestedMethods.includes("eth_call")
    })
  })

  it.each(faultCases)("starts with the second node when the first $name from the beginning", async ({ fault }) => {
    const { meetAnew, proxy } = setting
    meetAnew()
    proxy.fault = fault
    const quoteResponse = assertOk(await requestQuote(setting))
    assertOk(await execute(setting, quoteResponse))
    await assertCompletes(setting, quoteResponse)
  })
})

describe("with one node, a service", () => {
  let setting: FaultFixture
  beforeAll(async () => {
    setting = await start(() => [])
  })
  afterAll(() => setting.stop())

  const refusedCases = faultCases.filter(
    (one): one is FaultCase & { readonly singleNodeFailure: RegExp } => one.singleNodeFailure !== null
  )

  it.each(refusedCases)(
    "reports the fault in time when it $name, and recovers",
    async ({ singleNodeFailure, fault }) => {
      const { meetAnew, proxy } = setting
      meetAnew()
      const [acceptedQuote, earlierQuote] = [
        assertOk(await requestQuote(setting)),
        assertOk(await requestQuote(setting))
      ]
      assertOk(await execute(setting, acceptedQuote))
      proxy.fault = fault

      const refusedQuote = await assertEndsInTime(() => requestQuote(setting))
      assert.strictEqual(refusedQuote.status, 500)
      assert.strictEqual(refusedQuote.body.id, "SWAP_QUOTE")
      assert.match(refusedQuote.body.message, /Ethereum RPC node is unavailable/u)
      assert.match(refusedQuote.body.message, singleNodeFailure)

      const refusedExecution = await assertEndsInTime(() => execute(setting, earlierQuote))
      assert.strictEqual(refusedExecution.status, 502)
      assert.strictEqual(refusedExecution.body.id, "UPSTREAM_UNAVAILABLE")
      assert.match(refusedExecution.body.message, /Ethereum RPC node is unavailable/u)

      proxy.fault = { _tag: "None" }
      await waitUntilTrue(async () => (await requestQuote(setting)).status === 200)
      assertOk(await execute(setting, earlierQuote))
      for (const quoteResponse of [acceptedQuote, earlierQuote]) {
        assert.strictEqual((await settledTransactionOf(setting, quoteResponse)).status, "COMPLETED")
      }
    }
  )

  it("waits for a node that is 20 blocks behind, and completes once that node has the operation", async () => {
    const { meetAnew, proxy, service, wallet } = setting
    meetAnew()
    proxy.fault = { _tag: "Lags", blocks: 20 }
    const quoteResponse = assertOk(await requestQuote(setting))
    assertOk(await execute(setting, quoteResponse))
    const [{ userOperationHash }] = quoteResponse.body.quotes
    // The chain contains the operation, but the node that is behind does not contain it yet.
    await waitUntilTrue(async () => {
      const logs = await askChain(service.chains.rpcUrl(1), "eth_getLogs", {
        fromBlock: "0x0",
        topics: [null, userOperationHash]
      })
      return logs.length > 0
    })
    for (let searches = 0; searches < SEARCHES; searches++) {
      // The service searches again when the node reports a new head.
      proxy.requestedMethods.length = 0
      await askChain(service.chains.rpcUrl(1), "anvil_mine", "0x1")
      await waitUntilTrue(() => proxy.requestedMethods.includes("eth_getLogs"))
    }
    const path = `/api/v1/wallets/${wallet.address}/history?userOperationHash=${userOperationHash}`
    assert.strictEqual((await service.request("GET", path)).body.transactions[0].status, "PROCESSING")
    proxy.fault = { _tag: "None" }
    assert.strictEqual((await service.settled(wallet.address, userOperationHash)).status, "COMPLETED")
  })

  it("sends no requests to a node of another chain", async () => {
    const { meetAnew, proxy } = setting
    meetAnew()
    proxy.fault = { _tag: "OtherChain", chainId: 56 }
    const refusal = await requestQuote(setting)
    assert.strictEqual(refusal.body.id, "SWAP_QUOTE")
    assert.match(refusal.body.message, /Ethereum RPC node is unavailable: it serves chain 56/u)
    assert.deepStrictEqual([...new Set(proxy.requestedMethods)].toSorted(), ["eth_blockNumber", "eth_chainId"])
  })
})
