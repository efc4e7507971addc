import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { registerOneOfEachKind, swapOf, type TestWallet } from "../support/accounts.ts"
import { startTestService, type TestService } from "../support/testService.ts"

/**
 * Tests that operations do not wait for each other, because each has a random nonce key of 192 bits. An unused key
 * blocks nothing and needs no release: neither the service nor the chain stores it.
 */

const PARALLEL_COUNT = 20

let service: TestService
let wallet: TestWallet

beforeAll(async () => {
  service = await startTestService({ quoteSeconds: 1_800 })
  const wallets = await registerOneOfEachKind(service)
  wallet = wallets[0]!
  // Deploys the account first, because only one of two operations that both deploy an account can succeed.
  assert.strictEqual((await executeAndWait(await requestQuote())).status, "COMPLETED")
})
afterAll(() => service.stop())

const requestQuote = async (_: unknown = null, nth = 0) => {
  // The amounts differ, because concurrent equal requests get the same quote.
  const request = swapOf(wallet, { amountIn: `1.${String(nth).padStart(2, "0")}`, slippage: 50 })
  const { body, status } = await service.request("POST", "/api/v1/crypto/swap", request)
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body.quotes[0]
}

const executeAndWait = async (quote: Awaited<ReturnType<typeof requestQuote>>) => {
  const { body, status } = await service.request("POST", "/api/v1/crypto/execute-user-op", {
    userOperationHash: quote.userOperationHash,
    ...(await service.signatures(wallet.privateKey, quote.signData))
  })
  assert.strictEqual(status, 200, JSON.stringify(body))
  return service.settled(wallet.address, quote.userOperationHash)
}

const keyOf = async (quote: Awaited<ReturnType<typeof requestQuote>>): Promise<bigint> => {
  const path = `/api/v1/crypto/user-operation/${quote.userOperationHash}`
  const { body } = await service.request("GET", path)
  return BigInt(body.userOperation.nonce) >> 64n
}

describe(`${PARALLEL_COUNT} concurrent operations of one wallet`, () => {
  it("all complete, in any order, next to as many that were never signed", async () => {
    const quotes = await Promise.all(Array.from({ length: 2 * PARALLEL_COUNT }, requestQuote))
    const keys = new Set(await Promise.all(quotes.map(keyOf)))
    assert.strictEqual(keys.size, quotes.length)
    const signedQuotes = quotes.filter((_, i) => i % 2 === 0).toReversed()
    const transactions = await Promise.all(signedQuotes.map(executeAndWait))
    assert.deepStrictEqual([...new Set(transactions.map(({ status }) => status))], ["COMPLETED"])
  })
})
