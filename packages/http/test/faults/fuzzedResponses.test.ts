import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { createPublicClient, http } from "viem"
import { FaultProxy, type ResponseOverride } from "../../../adapters/test/faults/FaultProxy.ts"
import { shortOrLong } from "../../../core/test/support/longTests.ts"
import { registerOneOfEachKind, swapOf, type TestWallet, USDC } from "../support/accounts.ts"
import { startTestService, type TestResponse, type TestService } from "../support/testService.ts"
import { mutate, Randomness } from "./mutations.ts"

/** Tests the complete service on a node with randomly changed responses. */

const ROUNDS = shortOrLong(8, 300)
const SEED = Number(process.env.FUZZ_SEED ?? 20)

let target = ""
let proxy: FaultProxy
let service: TestService
let wallets: ReadonlyArray<TestWallet>

beforeAll(async () => {
  proxy = await FaultProxy.start(() => target)
  service = await startTestService({
    // The pause after a failure is short, because the service sends no requests to a paused host.
    rpcLimits: { cooldownMs: 1, longestCooldownMs: 1, retryDelayMs: 1, surveyMs: 200 },
    rpcUrls: (sandboxUrl) => {
      target = sandboxUrl
      return [proxy.url]
    }
  })
  wallets = await registerOneOfEachKind(service)
}, 120_000)
afterAll(async () => {
  await service.stop()
  await proxy.stop()
})

const requestQuote = (wallet: TestWallet): Promise<TestResponse> =>
  service.request("POST", "/api/v1/crypto/swap", swapOf(wallet, { slippage: 10 }))

const requestTransfer = (wallet: TestWallet): Promise<TestResponse> =>
  service.request("POST", "/api/v1/crypto/transfer", {
    walletAddress: wallet.address,
    chainId: 1,
    token: USDC,
    amount: "1",
    toAddress: wallets[0]!.address,
    gasFeePaymentMethod: "ADD_TO_AMOUNT",
    payGasFeeToken: USDC
  })

const execute = async (wallet: TestWallet, { body }: TestResponse): Promise<TestResponse> =>
  service.request("POST", "/api/v1/crypto/execute-user-op", {
    userOperationHash: body.quotes[0].userOperationHash,
    ...(await service.signatures(wallet.privateKey, body.quotes[0].signData))
  })

const historyOf = (wallet: TestWallet): Promise<TestResponse> =>
  service.request("GET", `/api/v1/wallets/${wallet.address}/history`)

/** Number of changed responses of the node, by method. */
const fuzzCounts = new Map<string, number>()

const fuzzOverride = (random: Randomness): ResponseOverride => {
  // Fraction of changed responses. It is high enough to affect every type of request, and low enough for some requests
  // to pass all checks.
  const share = random.oneOf([0.02, 0.1, 0.5])
  return ({ method }, requestHonest) => {
    // The first response of each method is always changed, so that no method is missed by chance.
    if (fuzzCounts.has(method) && random.next() >= share) return undefined
    fuzzCounts.set(method, (fuzzCounts.get(method) ?? 0) + 1)
    return requestHonest().then(({ result }) => mutate(result, random) ?? null)
  }
}

const assertDocumented = ({ body, status }: TestResponse): void => {
  if (status === 200) return
  assert.isString(body.id, JSON.stringify(body))
  assert.notStrictEqual(body.id, "INTERNAL_SERVER_ERROR", JSON.stringify(body))
}

describe("a node with changed responses", () => {
  it.each([64n, 128n, 255n])("is rejected if its fees are 2^%s", async (bits) => {
    const tooMuch = `0x${(2n ** bits).toString(16)}`
    const changeResult = (result: unknown) =>
      typeof result === "string" ? tooMuch : { ...Object(result), baseFeePerGas: Array(6).fill(tooMuch) }
    const responseOverride: ResponseOverride = ({ method }, requestHonest) =>
      method === "eth_maxPriorityFeePerGas" || method === "eth_feeHistory"
        ? requestHonest().then(({ result }) => changeResult(result))
        : undefined
    proxy.fault = { _tag: "Lies", lie: responseOverride }
    const { body, status } = await requestQuote(wallets[0]!)
    proxy.fault = { _tag: "None" }
    assert.deepStrictEqual([status, body.id], [500, "SWAP_QUOTE"])
    assert.match(body.message, /is not valid/u)
  })

  it("skips no operator nonces if it counts 100 transactions too many in its mempool", async () => {
    const wallet = wallets[0]!
    const client = createPublicClient({ transport: http(service.chains.rpcUrl(1)) })
    const operators = Object.values(service.chains.keys.operators)
    const readNonceSum = async () => {
      const counts = await Promise.all(operators.map(({ address }) => client.getTransactionCount({ address })))
      return counts.reduce((sum, count) => sum + count, 0)
    }
    const previousNonceSum = await readNonceSum()
    const quoteResponse = await requestQuote(wallet)
    const secondLie = Promise.withResolvers<void>()
    let overrideCount = 0
    const responseOverride: ResponseOverride = ({ method, params }, requestHonest) => {
      if (method !== "eth_getTransactionCount" || params[1] !== "pending") return undefined
      overrideCount += 1
      if (overrideCount === 2) secondLie.resolve()
      return requestHonest().then(({ result }) => `0x${(Number(result) + 100).toString(16)}`)
    }
    proxy.fault = { _tag: "Lies", lie: responseOverride }
    await execute(wallet, quoteResponse)
    await secondLie.promise
    proxy.fault = { _tag: "None" }
    const transaction = await service.settled(wallet.address, quoteResponse.body.quotes[0].userOperationHash)
    assert.strictEqual(transaction.status, "COMPLETED")
    assert.strictEqual((await readNonceSum()) - previousNonceSum, 1)
  })

  it(`with random changes ends no process and fails no operation (seed ${SEED})`, {
    timeout: shortOrLong(240_000, 900_000)
  }, async () => {
    const random = new Randomness(SEED)
    const acceptedOperations: Array<readonly [TestWallet, string]> = []
    for (let round = 0; round < ROUNDS; round++) {
      const [wallet, otherWallet] = [wallets[round % wallets.length]!, wallets[(round + 1) % wallets.length]!]
      const quoteResponse = await requestQuote(wallet)
      assert.strictEqual(quoteResponse.status, 200, JSON.stringify(quoteResponse.body))
      proxy.fault = { _tag: "Lies", lie: fuzzOverride(random) }
      const executePromise = execute(wallet, quoteResponse)
      const responses = await Promise.all([
        executePromise,
        requestQuote(otherWallet),
        requestTransfer(otherWallet),
        requestQuote(wallet),
        historyOf(wallet)
      ])
      proxy.fault = { _tag: "None" }
      for (const response of responses) assertDocumented(response)
      const { userOperationHash } = quoteResponse.body.quotes[0]
      if ((await executePromise).status === 200) acceptedOperations.push([wallet, userOperationHash])
      else {
        // The nonce may already be used: the first attempt may have succeeded although the node's response was changed.
        const secondResponse = await execute(wallet, quoteResponse)
        if (secondResponse.status === 200) acceptedOperations.push([wallet, userOperationHash])
      }
      for (const [owner, hash] of acceptedOperations.splice(0)) {
        assert.strictEqual((await service.settled(owner.address, hash)).status, "COMPLETED")
      }
    }
    assert.includeMembers([...fuzzCounts.keys()], ["eth_call", "eth_feeHistory", "debug_traceCall"])
    assert.deepStrictEqual(
      service.logLines.filter((line) => /defect|INTERNAL_SERVER_ERROR/u.test(line)),
      []
    )
  })
})
