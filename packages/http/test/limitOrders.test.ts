import { randomBytes } from "node:crypto"
import { sandboxTokens } from "@countersign/adapters/sandbox"
import { ActivityWatch } from "@countersign/core/wallets/chain-activity"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { hashTypedData, parseUnits } from "viem"
import { waitUntil } from "../../core/test/support/until.ts"
import { NATIVE, registerOneOfEachKind, type TestWallet, USDC, WETH } from "./support/accounts.ts"
import { allowanceOf, balanceOf } from "./support/balances.ts"
import { startTestService, type TestService } from "./support/testService.ts"

/**
 * Tests limit orders over HTTP: quote, signature, submission, cancellation, and fills by the sandbox's solver through
 * the real settlement contract.
 */

const SWAP = "/api/v1/crypto/swap"
const ORDERS = "/api/v1/crypto/limit-orders"
const RELAYER = "0xc92e8bdf79f0507f65a392b0ab4667716bfe0110"
const kinds = ["SimpleAccount 0.7", "SimpleAccount 0.8", "Safe 1.4.1", "Simple7702Account"]
const LINK = sandboxTokens(1).find(({ symbol }) => symbol === "LINK")!.address

let service: TestService
let wallets: ReadonlyArray<TestWallet>

beforeAll(async () => {
  service = await startTestService()
  wallets = await registerOneOfEachKind(service)
  for (const { address } of wallets) await service.fund(address, "native", 10n ** 18n)
})
afterAll(() => service.stop())

const walletOf = (kind: string) => wallets.find(({ name }) => name === kind)!

const setSolver = (mode: { readonly isSolving?: boolean; readonly largestPercent?: number }) =>
  service.run(service.chains.setSolver(mode))

const orderOf = (wallet: TestWallet, changes: Record<string, unknown> = {}) => ({
  walletAddress: wallet.address,
  toAddress: wallet.address,
  chainIdIn: 1,
  chainIdOut: 1,
  tokenIn: USDC,
  tokenOut: WETH,
  amountIn: "100",
  minAmountOut: "0.01",
  expiration: 3_600,
  gasFeePaymentMethod: "ADD_TO_AMOUNT",
  payGasFeeToken: USDC,
  ...changes
})

const quoteOf = async (wallet: TestWallet, changes: Record<string, unknown> = {}) => {
  const { body, status } = await service.request("POST", SWAP, orderOf(wallet, changes))
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body.quotes[0]
}

type Quote = Awaited<ReturnType<typeof quoteOf>>

const submitOrder = async (wallet: TestWallet, quote: Quote) =>
  service.request("POST", ORDERS, {
    quoteId: quote.quoteId,
    signatures: await service.signaturesByHash(wallet.privateKey, quote.signData)
  })

const placeOrder = async (wallet: TestWallet, changes: Record<string, unknown> = {}) => {
  const quote = await quoteOf(wallet, changes)
  assert.isUndefined(quote.revertReason)
  const { body, status } = await submitOrder(wallet, quote)
  assert.strictEqual(status, 200, JSON.stringify(body))
  return { quote, id: body.id as string }
}

const transactionOf = async (id: string): Promise<Quote> =>
  (await service.request("GET", `/api/v1/crypto/transactions/${id}`)).body.transaction

const waitForTransaction = (id: string, isExpected: (transaction: Quote) => boolean) =>
  waitUntil(() => transactionOf(id), isExpected)

const waitForEnd = (id: string) => waitForTransaction(id, ({ status }) => status !== "PROCESSING")
const waitUntilOpen = (id: string) =>
  waitForTransaction(id, ({ substatus }) => substatus === "OPEN" || substatus === "PARTIALLY_FILLED")

const requestCancel = (id: string, body: object = {}) => service.request("POST", `${ORDERS}/${id}/cancel`, body)

describe.each(kinds)("a limit order of a %s", (kind) => {
  it("is filled at its limit or better, and takes no more than the signed amount", async () => {
    const wallet = walletOf(kind)
    await setSolver({ isSolving: true, largestPercent: 100 })
    const balanceBefore = await balanceOf(service, WETH, wallet.address)
    const { id, quote } = await placeOrder(wallet)
    assert.strictEqual(quote.type, "LIMIT_ORDER")
    assert.strictEqual(quote.typedData.primaryType, "Order")
    assert.strictEqual(quote.minAmountOut, "0.01")
    assert.isTrue(
      quote.warnings.some((warning: string) => warning.includes("The market price is better than the limit"))
    )
    assert.isTrue(
      quote.warnings.some((warning: string) => warning.includes("Quote the next USDC order after this one is open"))
    )
    const transaction = await waitForEnd(id)
    assert.strictEqual(transaction.status, "COMPLETED", JSON.stringify(transaction.failure))
    assert.strictEqual(transaction.substatus, "FILLED")
    assert.strictEqual(transaction.type, "LIMIT_ORDER")
    const receivedAmount = (await balanceOf(service, WETH, wallet.address)) - balanceBefore
    assert.strictEqual(parseUnits(transaction.receivedAmount.amount, 18), receivedAmount)
    assert.isTrue(receivedAmount >= parseUnits("0.01", 18))
    const soldMovements = transaction.movements.filter(
      ({ direction, role, counterparty }: Quote) =>
        direction === "OUT" && role === "PRINCIPAL" && counterparty.startsWith("0x9008")
    )
    assert.deepStrictEqual(
      soldMovements.map(({ amount }: Quote) => amount),
      ["100"]
    )
    assert.strictEqual(await allowanceOf(service, USDC, wallet.address, RELAYER), 0n)
    // A repeated request returns the existing order.
    const secondResponse = await submitOrder(wallet, quote)
    assert.deepStrictEqual([secondResponse.status, secondResponse.body.id], [200, id])
  })

  it("is filled in parts, which are movements, and ends when the rest expires", async () => {
    const wallet = walletOf(kind)
    // The fills are so small that the solver cannot fill the order before the test stops the solver.
    await setSolver({ isSolving: true, largestPercent: 4 })
    const { id } = await placeOrder(wallet, { expiration: 1_000 })
    const partialTransaction = await waitForTransaction(id, ({ substatus }) => substatus === "PARTIALLY_FILLED")
    await setSolver({ isSolving: false, largestPercent: 100 })
    assert.strictEqual(partialTransaction.status, "PROCESSING")
    await service.advanceClock(1_200)
    const transaction = await waitForEnd(id)
    if (transaction.status === "COMPLETED") return assert.fail("all of it was filled")
    assert.deepStrictEqual([transaction.status, transaction.substatus], ["PARTIALLY_COMPLETED", "EXPIRED"])
    const fills = transaction.movements.filter(({ counterparty }: Quote) => counterparty?.startsWith("0x9008"))
    assert.isTrue(fills.length >= 2 && fills.length % 2 === 0)
    assert.strictEqual(transaction.legs.length - fills.length / 2, hasOperation(transaction) ? 1 : 0)
  })

  it("expires if no solver fills it", async () => {
    const wallet = walletOf(kind)
    await setSolver({ isSolving: false })
    const { id } = await placeOrder(wallet, { minAmountOut: "1", expiration: 600 })
    await waitUntilOpen(id)
    await service.advanceClock(900)
    const transaction = await waitForEnd(id)
    assert.deepStrictEqual([transaction.status, transaction.substatus], ["EXPIRED", "EXPIRED"])
    assert.isNull(transaction.receivedAmount)
  })

  it("is cancelled by the method of its account type", async () => {
    const wallet = walletOf(kind)
    await setSolver({ isSolving: false })
    const { id, quote } = await placeOrder(wallet, { minAmountOut: "1" })
    await waitUntilOpen(id)
    const cancelResponse = await requestCancel(id)
    assert.strictEqual(cancelResponse.status, 200, JSON.stringify(cancelResponse.body))
    assert.deepStrictEqual([cancelResponse.body.status, cancelResponse.body.id], ["PENDING_SIGNATURE", id])
    assert.strictEqual(cancelResponse.body.receivedAmount.amount, "0")
    const [element] = cancelResponse.body.signData
    if (kind === "Simple7702Account") {
      assert.isFalse(cancelResponse.body.requiresExecution)
      const signature = await service.sign(wallet.privateKey, element)
      const wrongSignatureResponse = await requestCancel(id, {
        signature: await service.sign(wallets[0]!.privateKey, element)
      })
      assert.strictEqual(
        wrongSignatureResponse.body.id,
        wallets[0]!.privateKey === wallet.privateKey ? id : "INVALID_SIGNATURE"
      )
      const { body, status } = await requestCancel(id, { signature })
      const cancelledStatuses = ["CANCELLED", "CANCELLED"]
      assert.deepStrictEqual([status, body.status, body.substatus], [200, ...cancelledStatuses], JSON.stringify(body))
      const orderResponse = await service.request("GET", `/api/v1/crypto/transactions/${id}`)
      assert.deepStrictEqual(
        [orderResponse.body.transaction.status, orderResponse.body.transaction.substatus],
        cancelledStatuses
      )
      // If the solver had sent a settlement, it would be included by then.
      await service.advanceClock(200)
    } else {
      assert.isTrue(cancelResponse.body.requiresExecution)
      assert.deepStrictEqual(
        cancelResponse.body.signData.map(({ type }: Quote) => type),
        ["LIMIT_ORDER", "USER_OPERATION"]
      )
      assert.deepStrictEqual(element.typedData.message, { orderUids: [cancelResponse.body.orderUid] })
      const [fee] = cancelResponse.body.fees
      assert.deepStrictEqual(Object.keys(fee).sort(), [
        ...["amount", "nativeAmount", "percent", "recipient", "tokenAddress", "type"]
      ])
      assert.isAbove(Number(fee.amount.brl), Number(fee.amount.usd))
      const refusal = await requestCancel(id, { signature: `0x${"11".repeat(65)}` })
      assert.strictEqual(refusal.body.id, "CANCEL_LIMIT_ORDER_NOT_ALLOWED")
      const { body, status } = await service.request("POST", "/api/v1/crypto/execute", {
        quoteId: cancelResponse.body.quoteId,
        signatures: await service.signaturesByHash(wallet.privateKey, cancelResponse.body.signData)
      })
      assert.strictEqual(status, 200, JSON.stringify(body))
      const finalTransaction = await service.settled(wallet.address, cancelResponse.body.userOperationHash)
      assert.deepStrictEqual([finalTransaction.type, finalTransaction.status], ["LIMIT_ORDER_CANCEL", "COMPLETED"])
    }
    await setSolver({ isSolving: true })
    const transaction = await waitForEnd(id)
    assert.deepStrictEqual([transaction.status, transaction.substatus], ["CANCELLED", "CANCELLED"])
    const lateResponse = await requestCancel(id)
    assert.deepStrictEqual([lateResponse.status, lateResponse.body.id], [400, "CANCEL_LIMIT_ORDER_NOT_ALLOWED"])
    assert.include(lateResponse.body.message, "CANCELLED")
    assert.strictEqual(hashTypedData(quote.typedData), orderDigestOf(cancelResponse.body.orderUid))
  })

  it("sells the native token in its wrapped form, and buys it in that form", async () => {
    const wallet = walletOf(kind)
    await setSolver({ isSolving: false })
    const sellOrder = await placeOrder(wallet, { tokenIn: NATIVE, tokenOut: USDC, amountIn: "0.1", minAmountOut: "10" })
    const symbolsOf = ({ receivedCryptoCurrency, sentCryptoCurrency }: Quote) => [
      sentCryptoCurrency.symbol,
      receivedCryptoCurrency.symbol
    ]
    assert.deepStrictEqual(symbolsOf(await waitUntilOpen(sellOrder.id)), ["ETH", "USDC"])
    await setSolver({ isSolving: true, largestPercent: 100 })
    const soldTransaction = await waitForEnd(sellOrder.id)
    assert.strictEqual(soldTransaction.status, "COMPLETED")
    assert.deepStrictEqual(symbolsOf(soldTransaction), ["ETH", "USDC"], JSON.stringify(soldTransaction.movements))
    const balanceBefore = await balanceOf(service, WETH, wallet.address)
    const buyOrder = await placeOrder(wallet, { tokenOut: NATIVE })
    assert.isTrue(buyOrder.quote.warnings.some((warning: string) => warning.includes("The order pays WETH")))
    const transaction = await waitForEnd(buyOrder.id)
    assert.strictEqual(transaction.status, "COMPLETED")
    assert.isTrue((await balanceOf(service, WETH, wallet.address)) > balanceBefore)
  })
})

const hasOperation = ({ userOperationHash }: Quote) => userOperationHash !== null
const orderDigestOf = (uid: string) => uid.slice(0, 66)

describe("a limit order", () => {
  it("is rejected if a fee exceeds 1 %, or is not a whole number of hundredths of a percent", async () => {
    const wallet = walletOf("Simple7702Account")
    const problemOf = async (changes: Record<string, unknown>) => {
      const { body, status } = await service.request("POST", SWAP, orderOf(wallet, changes))
      return [status, body.message] as const
    }
    const [highFeeStatus, highFeeReason] = await problemOf({ transactionFeePercent: 1.5 })
    assert.strictEqual(highFeeStatus, 400)
    assert.match(highFeeReason, /at most 1 %/u)
    const [unevenFeeStatus, unevenFeeReason] = await problemOf({
      extraFee: { percentage: 0.005, toAddress: wallet.address }
    })
    assert.strictEqual(unevenFeeStatus, 400)
    assert.match(unevenFeeReason, /whole basis points/u)
  })

  it("expires within the order book's bounds, and a warning states the change", async () => {
    for (const [kind, expiration, isChanged] of [
      ["Simple7702Account", 1, true],
      ["Simple7702Account", 3_600, false],
      ["Simple7702Account", Number.MAX_SAFE_INTEGER, true],
      ["SimpleAccount 0.7", 400 * 86_400, false]
    ] as const) {
      const quote = await quoteOf(walletOf(kind), { expiration })
      const { validTo } = quote.typedData.message
      assert.strictEqual(Date.parse(quote.limitOrder.expiresAt) / 1_000, validTo)
      // The quote expires before the order: it can be signed for the same time as any other quote.
      assert.isBelow(quote.expiresAt, validTo)
      const [, statedExpiry] = /^The order expires at (\S+), /mu.exec(quote.warnings.join("\n")) ?? []
      assert.strictEqual(
        statedExpiry === undefined ? null : Date.parse(statedExpiry) / 1_000,
        isChanged ? validTo : null
      )
    }
    const lastQuote = await quoteOf(walletOf("SimpleAccount 0.7"), { expiration: Number.MAX_SAFE_INTEGER })
    assert.strictEqual(lastQuote.typedData.message.validTo, 2 ** 32 - 1)
  })

  it("is not quoted on a chain without an order book, and the error states so", async () => {
    const wallet = walletOf("Safe 1.4.1")
    const tokens = {
      tokenIn: "0x0b2c639c533813f4aa9d7837caf62653d097ff85",
      tokenOut: "0x4200000000000000000000000000000000000006"
    }
    const { body, status } = await service.request(
      "POST",
      SWAP,
      orderOf(wallet, { chainIdIn: 10, chainIdOut: 10, ...tokens, payGasFeeToken: tokens.tokenIn })
    )
    assert.deepStrictEqual([status, body.id], [500, "SWAP_QUOTE"])
    assert.include(body.message, "no provider supports limit orders on OP Mainnet")
  })

  it("is cancelled only by its id and by its project", async () => {
    for (const id of ["nothing", "6c1b6a0e-0f53-4c0e-a2a5-6a4b5a7c6f0d"]) {
      const { body, status } = await requestCancel(id)
      assert.deepStrictEqual([status, body.id], [404, "CANCEL_LIMIT_ORDER_TRANSACTION_NOT_FOUND"])
    }
    const histories = await Promise.all(
      wallets.map(({ address }) =>
        service.request("GET", `/api/v1/wallets/${address}/history?type=LIMIT_ORDER_CANCEL,CRYPTO_DEPOSIT`)
      )
    )
    const [otherTransaction] = histories.flatMap(({ body }) => body.transactions)
    const { body, status } = await requestCancel(otherTransaction.id)
    assert.deepStrictEqual([status, body.id], [400, "CANCEL_LIMIT_ORDER_NOT_ALLOWED"])
    assert.match(body.message, /is not a limit order/u)
  })

  it("for more than the wallet has is accepted, with the reason why it cannot be filled", async () => {
    const wallet = walletOf("Simple7702Account")
    await setSolver({ isSolving: true })
    const quote = await quoteOf(wallet, {
      amountIn: "99000000",
      minAmountOut: "1",
      partialFillable: false,
      expiration: 200
    })
    assert.isTrue(
      quote.warnings.some((warning: string) => warning.includes("can be filled completely only after a deposit"))
    )
    const { body, status } = await submitOrder(wallet, quote)
    assert.strictEqual(status, 200, JSON.stringify(body))
    await waitUntilOpen(body.id)
    await service.advanceClock(600)
    assert.strictEqual((await waitForEnd(body.id)).status, "EXPIRED")
  })

  it("of a token that the wallet does not hold has a warning that the order book rejects it", async () => {
    const quote = await quoteOf(walletOf("Simple7702Account"), { tokenIn: LINK, amountIn: "3", minAmountOut: "0.001" })
    assert.isTrue(quote.warnings.some((warning: string) => warning.includes("has no LINK")))
  })

  it("sends the bought token to another address", async () => {
    const wallet = walletOf("Safe 1.4.1")
    await setSolver({ isSolving: true, largestPercent: 100 })
    const receiver = `0x${randomBytes(20).toString("hex")}`
    const { id } = await placeOrder(wallet, { toAddress: receiver })
    const transaction = await waitForEnd(id)
    assert.deepStrictEqual([transaction.status, transaction.receivedBy], ["COMPLETED", receiver])
    const receivedAmount = await balanceOf(service, WETH, receiver)
    assert.strictEqual(parseUnits(transaction.receivedAmount.amount, 18), receivedAmount)
  })

  it("pays the project's fee from the bought amount", async () => {
    const wallet = walletOf("Simple7702Account")
    await setSolver({ isSolving: true, largestPercent: 100 })
    const { id, quote } = await placeOrder(wallet, { transactionFeePercent: 0.5 })
    const [fee] = quote.fees.filter(({ type }: Quote) => type === "SERVICE")
    assert.deepStrictEqual([fee.token, fee.amount, fee.percentage], [WETH, "0.00005", "0.5"])
    assert.deepInclude(quote.estimatedCollectedFee, {
      collectedFeeToken: WETH,
      collectedFee: "0.00005",
      collectedFeePercent: "0.5"
    })
    assert.strictEqual((await waitForEnd(id)).status, "COMPLETED")
  })
})

describe("the endpoint of limit orders", () => {
  it("does not execute other quotes", async () => {
    const wallet = walletOf("Simple7702Account")
    const quote = await quoteOf(wallet, { minAmountOut: undefined, expiration: undefined })
    assert.strictEqual(quote.type, "SWAP")
    const { body, status } = await submitOrder(wallet, quote)
    assert.deepStrictEqual([status, body.id], [404, "QUOTE_NOT_FOUND"])
  })
})

describe("a chain watcher", () => {
  it("does not record the fill of an order as an external transfer, also if it sees the fill first", async () => {
    const wallet = walletOf("SimpleAccount 0.8")
    const runWatcher = () => service.run(ActivityWatch.use(({ watchDue }) => watchDue))
    await runWatcher()
    await setSolver({ isSolving: true, largestPercent: 40 })
    const { id } = await placeOrder(wallet, { amountIn: "61" })
    // Another payment in the same minute is still detected.
    await service.fund(wallet.address, LINK, 7n)
    const order = await waitUntil(
      async () => {
        await runWatcher()
        return transactionOf(id)
      },
      ({ status }) => status !== "PROCESSING"
    )
    assert.strictEqual(order.status, "COMPLETED")
    await service.advanceClock(120)
    for (let check = 0; check < 10; check++) await runWatcher()
    const { body } = await service.request("GET", `/api/v1/wallets/${wallet.address}/history?take=100`)
    const hashesOf = ({ legs }: Quote): ReadonlyArray<string> =>
      legs.map(({ transactionHash }: { readonly transactionHash: { readonly hash: string } }) => transactionHash.hash)
    const otherTransactions = body.transactions.filter(
      ({ type }: Quote) => type !== "LIMIT_ORDER" && type !== "LIMIT_ORDER_CANCEL"
    )
    assert.isEmpty(
      otherTransactions.filter((other: Quote) => hashesOf(other).some((hash) => hashesOf(order).includes(hash)))
    )
    const deposits = otherTransactions.filter(({ type }: Quote) => type === "CRYPTO_DEPOSIT")
    assert.include(
      deposits.map(({ receivedAmount }: Quote) => receivedAmount.amount),
      "0.000000000000000007"
    )
  })
})
