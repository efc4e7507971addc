import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { positionOf, registerOneOfEachKind, type TestWallet, USDC, WETH } from "./support/accounts.ts"
import { askChain } from "./support/askChain.ts"
import { startTestService, type TestResponse, type TestService } from "./support/testService.ts"

/**
 * Tests concurrent operations on one position or loan, on real contracts. Two operations must never spend the same
 * funds.
 */

let service: TestService
let wallet: TestWallet

beforeAll(async () => {
  service = await startTestService()
  wallet = (await registerOneOfEachKind(service)).find(({ name }) => name === "SimpleAccount 0.8")!
  await service.fund(wallet.address, WETH, 10n ** 20n)
  // Deploys the account, and leaves an allowance for gas.
  const firstQuote = await requestQuote("/api/v1/lending/quote", lendingRequest({ supply: legOf(WETH, "10") }))
  assert.strictEqual((await execute(firstQuote)).status, 200)
  await waitUntilSettled(firstQuote)
})
afterAll(() => service.stop())

const callRpc = (method: string, ...params: ReadonlyArray<unknown>) =>
  askChain(service.chains.rpcUrl(1), method, ...params)

const legOf = (tokenAddress: string, amount: string) => ({ chainId: 1, tokenAddress, amount })

const lendingRequest = (legs: Record<string, unknown>) => ({
  walletAddress: wallet.address,
  provider: "LENDING_PROVIDER_A",
  gas: { tokenAddress: USDC, paymentMethod: "ADD_TO_AMOUNT" },
  ...legs
})

// biome-ignore lint/suspicious/noExplicitAny: the tests read bodies as a client without generated types does.
type Body = any

const requestQuote = async (path: string, request: Body): Promise<Body> => {
  const { body, status } = await service.request("POST", path, request)
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body.operation ?? body
}

const execute = async ({ signData, userOperationHash }: Body): Promise<TestResponse> =>
  service.request("POST", "/api/v1/crypto/execute-user-op", {
    userOperationHash,
    ...(await service.signatures(wallet.privateKey, signData))
  })

const waitUntilSettled = ({ userOperationHash }: Body) => service.settled(wallet.address, userOperationHash)

/**
 * Executes all operations before the next block. Returns the ended transactions of the accepted operations, and the
 * rejections.
 */
const executeConcurrently = async (operations: ReadonlyArray<Body>) => {
  await callRpc("evm_setAutomine", false)
  const responses = await Promise.all(operations.map(execute))
  await callRpc("evm_setAutomine", true)
  await callRpc("anvil_mine", "0x1")
  const acceptedOperations = operations.filter((_, i) => responses[i]!.status === 200)
  return {
    ends: await Promise.all(acceptedOperations.map(waitUntilSettled)),
    refusals: responses.filter(({ status }) => status !== 200)
  }
}

const quoteEightTimes = async (quote: () => Promise<Body>): Promise<ReadonlyArray<Body>> => {
  const allQuotes: Array<Body> = []
  for (let i = 0; i < 8; i++) allQuotes.push(await quote())
  return allQuotes
}

/** Checks that one of eight operations is executed, and that the rejections of the other seven contain its hash. */
const requireOne = async (quote: () => Promise<Body>, resource: RegExp) => {
  const { ends, refusals } = await executeConcurrently(await quoteEightTimes(quote))
  assert.deepStrictEqual(
    ends.map(({ status }) => status),
    ["COMPLETED"],
    JSON.stringify(ends[0])
  )
  assert.lengthOf(refusals, 7)
  for (const { body, status } of refusals) {
    assert.deepStrictEqual([status, body.id], [409, "QUOTE_STALE"], JSON.stringify(body))
    assert.match(body.message, resource)
    assert.include(body.message, `transaction ${ends[0]!.id}, which is pending`)
  }
  assert.lengthOf(await service.gasEntries(), 0)
}

const requireAll = async (operations: ReadonlyArray<Body>) => {
  const { ends, refusals } = await executeConcurrently(operations)
  assert.deepStrictEqual(
    [refusals.length, ends.filter(({ status }) => status === "COMPLETED").length],
    [0, operations.length]
  )
}

describe("eight concurrent operations", () => {
  it("on one loan: one withdrawal is executed, and the errors of the others name it", () =>
    requireOne(
      () => requestQuote("/api/v1/lending/quote", lendingRequest({ withdraw: legOf(WETH, "MAX") })),
      /the supply to 0x/u
    ))

  it("on one position: one rebalance is executed, and the errors of the others name it", async () => {
    const { tokenId } = await createPosition()
    const newRange = { minPrice: 0.0003, maxPrice: 0.0005 }
    const request = { ...positionRequest(tokenId), toAddress: wallet.address, newPosition: newRange }
    await requireOne(
      () => requestQuote("/api/v1/liquidity/rebalance", request),
      new RegExp(`position ${tokenId} of 0x`, "u")
    )
  })
})

const positionRequest = (tokenId: string) => ({
  walletAddress: wallet.address,
  chainId: 1,
  tokenId,
  payGasFeeToken: USDC
})

const createPosition = async () => {
  const creation = await requestQuote("/api/v1/liquidity", positionOf(wallet))
  assert.strictEqual((await execute(creation)).status, 200)
  const { liquidity, status } = await waitUntilSettled(creation)
  assert.strictEqual(status, "COMPLETED")
  return { tokenId: liquidity.tokenId as string, range: creation.range }
}

describe("concurrent operations", () => {
  it("that add liquidity to one position, and a supply, are all executed", async () => {
    const { range, tokenId } = await createPosition()
    const addition = {
      ...positionRequest(tokenId),
      minPrice: Number(range.minPrice),
      maxPrice: Number(range.maxPrice),
      tokenIn: USDC,
      amountIn: "250",
      gasFeePaymentMethod: "ADD_TO_AMOUNT",
      slippage: 5
    }
    await requireAll([
      await requestQuote("/api/v1/liquidity/add", addition),
      await requestQuote("/api/v1/liquidity/add", addition),
      await requestQuote("/api/v1/lending/quote", lendingRequest({ supply: legOf(WETH, "1") })),
      await requestQuote("/api/v1/lending/quote", lendingRequest({ supply: legOf(WETH, "1") }))
    ])
  })
})
