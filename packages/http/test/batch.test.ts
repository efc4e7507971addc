import { randomBytes } from "node:crypto"
import { ProjectScheduler } from "@countersign/core/foundation/turns"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { parseUnits } from "viem"
import { registerOneOfEachKind, type TestWallet, USDC, WETH } from "./support/accounts.ts"
import { balanceOf } from "./support/balances.ts"
import { startTestService, type TestService } from "./support/testService.ts"

/** Tests batches over HTTP, on real contracts. */

const PATH = "/api/v1/crypto/batch-operations"
const kinds = ["SimpleAccount 0.7", "SimpleAccount 0.8", "Safe 1.4.1", "Simple7702Account"]

let service: TestService
let wallets: ReadonlyArray<TestWallet>

beforeAll(async () => {
  service = await startTestService()
  wallets = await registerOneOfEachKind(service)
  for (const { address } of wallets) await service.fund(address, WETH, 1_000n * 10n ** 18n)
})
afterAll(() => service.stop())

const walletOf = (kind: string) => wallets.find(({ name }) => name === kind)!
const randomAddress = () => `0x${randomBytes(20).toString("hex")}`
const gasFields = { gasFeePaymentMethod: "ADD_TO_AMOUNT", payGasFeeToken: USDC }

const transferOf = (amount: string, changes: Record<string, unknown> = {}) => ({
  type: "transfer",
  params: { amount, token: USDC, toAddress: randomAddress(), ...gasFields, ...changes }
})

const swapOf = (amountIn: string, changes: Record<string, unknown> = {}) => ({
  type: "swap",
  params: { amountIn, tokenIn: USDC, tokenOut: WETH, toAddress: randomAddress(), ...gasFields, ...changes }
})

const requestBatch = (wallet: TestWallet, operations: ReadonlyArray<unknown>) =>
  service.request("POST", PATH, { walletAddress: wallet.address, chainId: 1, operations })

const quoteOf = async (wallet: TestWallet, operations: ReadonlyArray<unknown>) => {
  const { body, status } = await requestBatch(wallet, operations)
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body
}

const executeAndWait = async (wallet: TestWallet, quote: Awaited<ReturnType<typeof quoteOf>>) => {
  const { body, status } = await service.request("POST", "/api/v1/crypto/execute-user-op", {
    userOperationHash: quote.userOperationHash,
    ...(await service.signatures(wallet.privateKey, quote.signData))
  })
  assert.strictEqual(status, 200, JSON.stringify(body))
  return service.settled(wallet.address, quote.userOperationHash)
}

describe.each(kinds)("a batch of a %s", (kind) => {
  it("gives each element its quoted amount, and quotes each swap on the pools as the earlier elements leave them", async () => {
    const wallet = walletOf(kind)
    const operations = [
      transferOf("10"),
      swapOf("250000"),
      swapOf("250000"),
      swapOf("40", { tokenIn: WETH, tokenOut: USDC }),
      transferOf("0.5", { token: WETH }),
      swapOf("250000")
    ]
    const quote = await quoteOf(wallet, operations)
    assert.isUndefined(quote.revertReason)
    assert.strictEqual(quote.operations.length, operations.length)
    const swapAmountOut = (i: number) => quote.operations[i].swap.amountOut
    // The second swap returns less, because the first one changed the price.
    assert.isTrue(parseUnits(swapAmountOut(2), 18) < parseUnits(swapAmountOut(1), 18))
    const transaction = await executeAndWait(wallet, quote)
    assert.strictEqual(transaction.status, "COMPLETED", JSON.stringify(transaction.failure))
    assert.strictEqual(transaction.type, "BATCH")
    for (const [i, { params, type }] of operations.entries()) {
      const result = quote.operations[i][type]
      const token = type === "swap" ? result.tokenOut : result.token
      const amount = type === "swap" ? result.amountOut : result.amount
      const receivedAmount = await balanceOf(service, token, params.toAddress)
      assert.strictEqual(receivedAmount, parseUnits(amount, token === USDC ? 6 : 18), `element ${i}`)
    }
  })
})

describe("a batch", () => {
  it("may contain up to a hundred transfers", async () => {
    const wallet = walletOf(kinds[1]!)
    const operations = Array.from({ length: 100 }, (_, i) => transferOf(`0.${String(i + 1).padStart(3, "0")}`))
    const quote = await quoteOf(wallet, operations)
    const transaction = await executeAndWait(wallet, quote)
    assert.strictEqual(transaction.status, "COMPLETED", JSON.stringify(transaction.failure))
    assert.strictEqual(transaction.sentAmount.amount, "5.05")
    assert.strictEqual(await balanceOf(service, USDC, operations[99]!.params.toAddress), 100_000n)
  })

  it("deducts the gas fee from the first element that requests it, and from no other", async () => {
    const wallet = walletOf(kinds[0]!)
    const deductedFee = { gasFeePaymentMethod: "DEDUCT_FROM_AMOUNT" }
    const quote = await quoteOf(wallet, [
      transferOf("100"),
      transferOf("100", deductedFee),
      transferOf("100", deductedFee)
    ])
    const [first, second, third] = quote.operations.map(
      (result: { readonly transfer: { readonly amount: string } }) => result.transfer.amount
    )
    assert.deepStrictEqual([first, third], ["100", "100"])
    assert.strictEqual(
      parseUnits(second, 6),
      parseUnits("100", 6) - parseUnits(quote.estimatedGasFees.maxGasFeeToken, 6)
    )
    assert.strictEqual((await executeAndWait(wallet, quote)).status, "COMPLETED")
  })

  it("is atomic: an element that would revert is the revertReason of the whole batch", async () => {
    const quote = await quoteOf(walletOf(kinds[0]!), [transferOf("1"), transferOf("9000000000")])
    assert.include(quote.revertReason.decoded, "balance")
  })

  it("is rejected if gas tokens differ, and the error names the elements that differ from the first", async () => {
    const otherGasFields = { payGasFeeToken: WETH }
    const { body, status } = await requestBatch(walletOf(kinds[0]!), [
      transferOf("1"),
      transferOf("1", otherGasFields),
      swapOf("1"),
      swapOf("1", otherGasFields)
    ])
    assert.strictEqual(status, 400)
    assert.deepStrictEqual(
      body.errors.map((error: { readonly path: string }) => error.path),
      ["body.operations.1.params.payGasFeeToken", "body.operations.3.params.payGasFeeToken"]
    )
  })

  it.each([
    ["no element", []],
    ["more than a hundred", Array.from({ length: 101 }, () => transferOf("1"))],
    ["an element of another type", [{ type: "borrow", params: {} }]],
    ["a limit order", [swapOf("1", { minAmountOut: "1" })]]
  ])("with %s is rejected with 400", async (_, operations) => {
    const { body, status } = await requestBatch(walletOf(kinds[0]!), operations)
    assert.deepStrictEqual([status, body.id], [400, "BAD_REQUEST"])
  })

  it("is rejected if an element has no route, and the error names the element", async () => {
    const { body, status } = await requestBatch(walletOf(kinds[0]!), [swapOf("1"), swapOf("900000000000000000000")])
    assert.deepStrictEqual([status, body.id], [500, "SWAP_QUOTE"])
    assert.include(body.message, "operations[1]")
  })
})

describe("a project at the limit of its concurrent requests", () => {
  it("gets an error with Retry-After and is not charged, while another project is served", async () => {
    const { apiKey, project } = await service.newProject(null)
    await service.setComputeUnits(project.id, 5)
    const requestAs = (projectKey: string) =>
      service.request(
        "POST",
        PATH,
        { walletAddress: walletOf(kinds[0]!).address, chainId: 1, operations: [transferOf("1")] },
        { "x-api-key": projectKey }
      )
    let release = () => {}
    const heldWork = new Promise<void>((resolve) => {
      release = resolve
    })
    const holdTurn = () =>
      service.run(
        Effect.flatMap(ProjectScheduler, (turns) =>
          turns.run(
            project.id,
            256,
            Effect.promise(() => heldWork)
          )
        )
      )
    const heldRuns = [holdTurn(), holdTurn()]
    const refusal = await requestAs(apiKey)
    assert.deepStrictEqual([refusal.status, refusal.body.id], [503, "OVERLOADED"])
    assert.strictEqual(refusal.headers.get("retry-after"), "1")
    assert.strictEqual((await requestAs(service.apiKey)).status, 200)
    release()
    await Promise.all(heldRuns)
    // The 404 shows that the compute units were charged, because the wallet belongs to another project.
    assert.strictEqual((await requestAs(apiKey)).status, 404)
    assert.strictEqual((await requestAs(apiKey)).status, 403)
  })
})
