import {
  FiatLimits,
  type FiatOrderState,
  FiatOrderStore,
  FiatOrders,
  type LimitAmounts,
  pixKeyOfBrCode
} from "@countersign/core/fiat"
import { IndividualId } from "@countersign/core/identity"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { encodeFunctionData, erc20Abi, type Hex, numberToHex, parseEther } from "viem"
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts"
import { BANK_ADDRESS, BLINDPAY_WEBHOOK_SECRET } from "../../adapters/sandbox/bank/index.ts"
import { signedHeaders } from "../../adapters/src/outbound/webhooks/index.ts"
import { waitUntil, waitUntilTrue } from "../../core/test/support/until.ts"
import { registerOneOfEachKind, type TestWallet, USDC } from "./support/accounts.ts"
import { askChain } from "./support/askChain.ts"
import { allowanceOf, balanceOf } from "./support/balances.ts"
import { fiatClient } from "./support/fiatClient.ts"
import { assertProblems, assertRefusal } from "./support/refusals.ts"
import { startTestService, type TestResponse, type TestService } from "./support/testService.ts"

/**
 * Tests fiat orders from quote to end, with BlindPay's API, a simulated bank with a ledger, and real stablecoin
 * transfers.
 */

const INDIVIDUAL = "ana"

let service: TestService
let wallet: TestWallet
let fiat: ReturnType<typeof fiatClient>

beforeAll(async () => {
  service = await startTestService()
  wallet = (await registerOneOfEachKind(service))[0]!
  fiat = fiatClient(service, wallet, INDIVIDUAL)
  await fiat.verify()
  await fiat.bank("customer", { individualId: INDIVIDUAL })
})
afterAll(() => service.stop())

const PIX = { type: "PIX", pixKey: "529.982.247-25" }

const orderWithdrawal = async (paymentMethod: Record<string, unknown>, changes: Record<string, unknown> = {}) => {
  const { quoteId } = fiat.created(await fiat.quote("withdrawal", changes))
  return service.request("POST", "/api/v2/fiat/withdrawal", { quoteId, paymentMethod })
}

const createWithdrawal = async (changes: Record<string, unknown> = {}) =>
  fiat.created(await orderWithdrawal(PIX, changes))

/** A bank account of the sandbox's customers. */
const ACH = {
  type: "ACH",
  routingNumber: "021000021",
  accountNumber: "31254097",
  accountType: "CHECKING",
  beneficiaryName: "Ada Example"
}
const WIRE = { ...ACH, type: "WIRE", addressLine1: "8 The Green", country: "US" }
const usdFields = (type: string) => ({ paymentMethod: { type }, to: { currency: "USD" } })

/** Sends USDC to the wallet from a new account. No order belongs to this transfer. */
const transferUsdc = async (amount: bigint): Promise<string> => {
  const rpc = (method: string, ...params: ReadonlyArray<unknown>) =>
    askChain(service.chains.rpcUrl(1), method, ...params)
  const payer = privateKeyToAddress(generatePrivateKey())
  await service.fund(payer.toLowerCase(), USDC, amount)
  await rpc("anvil_setBalance", payer, numberToHex(parseEther("1")))
  await rpc("anvil_impersonateAccount", payer)
  const args = [wallet.address as Hex, amount] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args })
  const hash = await rpc("eth_sendTransaction", { from: payer, to: USDC, data, gas: numberToHex(200_000) })
  await waitUntilTrue(async () => (await rpc("eth_getTransactionReceipt", hash)) !== null)
  return hash
}

const readUsdcBalance = () => balanceOf(service, USDC, wallet.address)

/** Ends an order in review as the operator. */
const resolveOrder = (id: string, status: FiatOrderState, reason = "Looked up at the bank") =>
  service.run(FiatOrders.use((orders) => Effect.result(orders.resolve(service.project.id, id, { status, reason }))))

describe("a deposit", () => {
  it("is quoted, paid by PIX, and completed with the stablecoin in the wallet", async () => {
    const quote = fiat.created(await fiat.quote("deposit"))
    assert.deepStrictEqual(quote.from, { currency: "BRL", amount: "541" })
    // (541 - 1) / 5.4: the amount less the fee of 1, at the rate 5.4.
    assert.deepStrictEqual(quote.to, { currency: "USDC", amount: "100" })
    assert.deepStrictEqual(quote.candidates, [{ provider: "blindpay", amount: "100", refusal: null }])
    assert.deepStrictEqual(
      quote.fees.map(({ amount, currency, type }: Record<string, string>) => [type, amount, currency]),
      [["PROVIDER", "1", "BRL"]]
    )
    const order = fiat.created(await service.request("POST", "/api/v2/fiat/deposit", { quoteId: quote.quoteId }))
    assert.strictEqual(order.status, "AWAITING_FUNDS")
    assert.strictEqual(order.depositInstructions.type, "PIX")
    assert.strictEqual(pixKeyOfBrCode(order.depositInstructions.brCode), order.depositInstructions.pixKey)
    assert.include(order.depositInstructions.brCode, "5406541.00")
    const balanceBefore = await readUsdcBalance()
    await fiat.bank("pay", { orderId: order.id })
    const finalOrder = await fiat.orderIn(order.id, "COMPLETED")
    assert.strictEqual((await readUsdcBalance()) - balanceBefore, 100_000_000n)
    const transaction = await fiat.transaction(finalOrder)
    assert.deepStrictEqual(
      [transaction.type, transaction.status, transaction.fiat],
      ["FIAT_DEPOSIT", "COMPLETED", { orderId: order.id, from: order.from, to: order.to }]
    )
    assert.deepStrictEqual([transaction.sentAmount.amount, transaction.sentAmount.currency], ["541", "BRL"])
    assert.strictEqual(transaction.receivedAmount.amount, "100")
  })

  it("is credited completely, with any number of concurrent deposits", async () => {
    const orders = [await fiat.deposit(), await fiat.deposit(), await fiat.deposit()]
    const balanceBefore = await readUsdcBalance()
    await Promise.all(orders.map(({ id }) => fiat.bank("pay", { orderId: id })))
    for (const { id } of orders) await fiat.orderIn(id, "COMPLETED")
    assert.strictEqual((await readUsdcBalance()) - balanceBefore, 300_000_000n)
  })

  it("of another amount than requested is returned to its payer", async () => {
    const order = await fiat.deposit()
    await fiat.bank("pay", { orderId: order.id, amount: 54_000 })
    const { reason, steps } = await fiat.orderIn(order.id, "REFUNDED")
    assert.match(reason, /refunded the payer/u)
    assert.deepStrictEqual(
      steps.map(({ status }: { readonly status: string }) => status),
      ["AWAITING_FUNDS", "REFUNDED"]
    )
  })

  it("can be in review, and then complete", async () => {
    const order = await fiat.deposit()
    await fiat.bank("review", { orderId: order.id })
    await fiat.orderIn(order.id, "IN_REVIEW")
    await fiat.bank("pay", { orderId: order.id })
    await fiat.orderIn(order.id, "COMPLETED")
  })

  it("by ACH contains the account and the required reference", async () => {
    const { depositInstructions } = await fiat.deposit({
      paymentMethod: { type: "ACH" },
      from: { currency: "USD", amount: "50.00" }
    })
    assert.strictEqual(depositInstructions.routingNumber, "021000021")
    assert.strictEqual(depositInstructions.accountType, "CHECKING")
    assert.match(depositInstructions.memoCode, /^[0-9A-F]{16}$/u)
    assert.sameMembers(Object.keys(depositInstructions.beneficiary), ["name", "addressLine1", "addressLine2"])
  })

  it.each([
    {
      method: "WIRE",
      currency: "USD",
      amount: "51",
      token: 50_000_000n,
      says: { routingNumber: "021000021", accountNumber: "31254097" }
    },
    { method: "SPEI", currency: "MXN", amount: "1851", token: 100_000_000n, says: { clabe: "032180000118359719" } },
    {
      method: "TRANSFERS",
      currency: "ARS",
      amount: "140001.00",
      token: 100_000_000n,
      says: { account: "2850590940090418135201" }
    }
  ])(
    "by $method contains the account that receives $currency, and completes",
    async ({ amount, currency, method, says: instructions, token: tokenAmount }) => {
      const order = await fiat.deposit({ paymentMethod: { type: method }, from: { currency, amount } })
      assert.deepInclude(order.depositInstructions, { type: method, ...instructions })
      if (method === "SPEI") assert.match(order.depositInstructions.reference, /^\d{7}$/u)
      const balanceBefore = await readUsdcBalance()
      await fiat.bank("pay", { orderId: order.id })
      const finalOrder = await fiat.orderIn(order.id, "COMPLETED")
      assert.strictEqual((await readUsdcBalance()) - balanceBefore, tokenAmount)
      const { sentAmount } = await fiat.transaction(finalOrder)
      assert.strictEqual(sentAmount.currency, currency)
    }
  )

  it("is in review while the bank reports a transfer of another order or of another amount", async () => {
    const payment = await fiat.deposit()
    await fiat.bank("pay", { orderId: payment.id })
    const hashOf = async (order: { readonly id: string; readonly transactionId: string }) => {
      const { legs } = await fiat.transaction(await fiat.orderIn(order.id, "COMPLETED"))
      return legs.at(-1).transactionHash.hash as string
    }
    const usedHash = await hashOf(payment)
    const order = await fiat.deposit()
    await fiat.bank("misreport", { orderId: order.id, transactionHash: usedHash })
    assert.match((await fiat.orderIn(order.id, "IN_REVIEW")).reason, /belongs to another operation/u)
    // Another account sends the wallet a tenth of the amount.
    const otherHash = await transferUsdc(10_000_000n)
    await fiat.bank("misreport", { orderId: order.id, transactionHash: otherHash })
    const smallOrder = await fiat.deposit({ from: { currency: "BRL", amount: "55.00" } })
    await fiat.bank("misreport", { orderId: smallOrder.id, transactionHash: otherHash })
    assert.strictEqual(await hashOf(smallOrder), otherHash)
    assert.strictEqual((await fiat.order(order.id)).status, "IN_REVIEW")
    const balanceBefore = await readUsdcBalance()
    await fiat.bank("misreport", { orderId: order.id, transactionHash: null })
    await fiat.bank("pay", { orderId: order.id })
    await fiat.orderIn(order.id, "COMPLETED")
    assert.strictEqual((await readUsdcBalance()) - balanceBefore, 100_000_000n)
  })

  it("in review is ended by an operator, once, and the service stops polling the bank", async () => {
    const otherHash = await transferUsdc(10_000_000n)
    const createOrderInReview = async () => {
      const order = await fiat.deposit()
      await fiat.bank("misreport", { orderId: order.id, transactionHash: otherHash })
      return fiat.orderIn(order.id, "IN_REVIEW")
    }
    for (const status of ["FAILED", "COMPLETED", "REFUNDED"] as const) {
      const order = await createOrderInReview()
      assert.strictEqual((await resolveOrder(order.id, "RETURNED"))._tag, "Failure")
      assert.strictEqual((await resolveOrder(order.id, status))._tag, "Success")
      assert.strictEqual((await resolveOrder(order.id, status))._tag, "Success")
      assert.strictEqual((await resolveOrder(order.id, status === "FAILED" ? "COMPLETED" : "FAILED"))._tag, "Failure")
      const finalOrder = await fiat.orderIn(order.id, status)
      assert.deepInclude(finalOrder.resolution, { status, reason: "Looked up at the bank" })
      assert.strictEqual(finalOrder.steps.at(-1).status, status)
      await waitUntil(
        () => fiat.transaction(finalOrder),
        (transaction) => transaction.status === status
      )
      // Later reports of the bank must change nothing.
      await fiat.bank("misreport", { orderId: order.id, transactionHash: null })
      await fiat.bank("close", { orderId: order.id })
      await service.advanceClock(120)
      assert.strictEqual((await fiat.order(order.id)).status, status)
    }
    const [{ id }] = [await fiat.deposit()]
    assert.strictEqual((await resolveOrder(id, "FAILED"))._tag, "Failure")
    assert.strictEqual((await resolveOrder("00000000-0000-4000-8000-000000000000", "FAILED"))._tag, "Failure")
  })

  it("waits for a bank that is down", async () => {
    const order = await fiat.deposit()
    // Six failures make two polls fail, because each read is retried twice.
    await fiat.bank("failures", { count: 6, status: 503 })
    await fiat.bank("pay", { orderId: order.id })
    await fiat.orderIn(order.id, "COMPLETED")
  })
})

describe("a withdrawal", () => {
  it("is signed by its owner, taken from the wallet, and paid by the bank", async () => {
    const order = await createWithdrawal()
    assert.deepStrictEqual(order.from, { currency: "USDC", amount: "100" })
    assert.deepStrictEqual(order.to, { currency: "BRL", amount: "539" })
    assert.strictEqual(order.fees.transactionFee, "0")
    const balanceBefore = await readUsdcBalance()
    await fiat.execute(order)
    await fiat.orderIn(order.id, "PROCESSING")
    await fiat.bank("pay", { orderId: order.id })
    const finalOrder = await fiat.orderIn(order.id, "COMPLETED")
    const spentAmount = balanceBefore - (await readUsdcBalance())
    assert.isTrue(spentAmount >= 100_000_000n && spentAmount < 200_000_000n, `${spentAmount}`)
    const transaction = await fiat.transaction(finalOrder)
    assert.deepStrictEqual([transaction.type, transaction.status], ["FIAT_WITHDRAWAL", "COMPLETED"])
    assert.strictEqual(transaction.fiat.orderId, order.id)
    assert.deepStrictEqual([transaction.receivedAmount.amount, transaction.receivedAmount.currency], ["539", "BRL"])
    assert.strictEqual(transaction.sentAmount.amount, "100")
  })

  it.each([
    { destination: ACH, currency: "USD", amount: "99" },
    { destination: WIRE, currency: "USD", amount: "99" },
    { destination: { type: "SPEI", clabe: "032180000118359719" }, currency: "MXN", amount: "1849" },
    { destination: { type: "TRANSFERS", cbuOrCvu: "2850590940090418135201" }, currency: "ARS", amount: "139999" }
  ])("by $destination.type pays $amount $currency", async ({ amount, currency, destination }) => {
    const changes = { paymentMethod: { type: destination.type }, to: { currency } }
    const order = fiat.created(await orderWithdrawal(destination, changes))
    assert.deepStrictEqual(order.to, { currency, amount })
    await fiat.execute(order)
    await fiat.orderIn(order.id, "PROCESSING")
    await fiat.bank("pay", { orderId: order.id })
    const transaction = await fiat.transaction(await fiat.orderIn(order.id, "COMPLETED"))
    assert.deepStrictEqual([transaction.receivedAmount.amount, transaction.receivedAmount.currency], [amount, currency])
  })

  it("by ACH and WIRE pays to accounts of the individual only, and reserves no limit for others", async () => {
    const readUsedAmount = async () => {
      const { body } = await service.request("GET", `/api/v1/kyc/identities/${INDIVIDUAL}/financial-limits`)
      return body.limits.find(({ type }: { readonly type: string }) => type === "ACH_WITHDRAWAL").limits.daily.used
    }
    const previousUsed = await readUsedAmount()
    const { quoteId } = fiat.created(await fiat.quote("withdrawal", usdFields("ACH")))
    const createOrder = (paymentMethod: object) =>
      service.request("POST", "/api/v2/fiat/withdrawal", { quoteId, paymentMethod })
    const otherOrderResponse = await createOrder({ ...ACH, beneficiaryName: "Bob Other" })
    assertProblems(otherOrderResponse, [
      "body.paymentMethod.beneficiaryName",
      /BlindPay: the name differs from its customer's name/u
    ])
    assert.strictEqual(await readUsedAmount(), previousUsed)
    // The bank may spell the name differently. The same quote can still create an order.
    assert.strictEqual((await createOrder({ ...ACH, beneficiaryName: "EXAMPLE, Áda" })).status, 201)
    assert.isAbove(await readUsedAmount(), previousUsed)
    const foreignOrderResponse = await orderWithdrawal({ ...WIRE, country: "BR" }, usdFields("WIRE"))
    assertProblems(foreignOrderResponse, ["body.paymentMethod.country", /lives in another country/u])
    const orderWithCountryName = await orderWithdrawal({ ...WIRE, country: "UNITED_STATES" }, usdFields("WIRE"))
    assert.strictEqual(orderWithCountryName.status, 201, JSON.stringify(orderWithCountryName.body))
    const orderWithUnknownCountry = await orderWithdrawal({ ...WIRE, country: "XX" }, usdFields("WIRE"))
    assert.strictEqual(orderWithUnknownCountry.status, 400)
    assert.strictEqual(orderWithUnknownCountry.body.errors[0].path, "body.paymentMethod.country")
  })

  it("by SPEI requires the code of a bank", async () => {
    const pesoFields = { paymentMethod: { type: "SPEI" }, to: { currency: "MXN" } }
    const response = await orderWithdrawal({ type: "SPEI", clabe: "000180000118359712" }, pesoFields)
    assert.strictEqual(response.status, 400)
    assert.match(JSON.stringify(response.body.errors), /body\.paymentMethod\.clabe.*code of a bank in Mexico/u)
  })

  it("that the bank cannot pay returns to the wallet", async () => {
    const order = await createWithdrawal()
    await fiat.execute(order)
    await fiat.orderIn(order.id, "PROCESSING")
    const balanceBefore = await readUsdcBalance()
    await fiat.bank("return", { orderId: order.id })
    const finalOrder = await fiat.orderIn(order.id, "RETURNED")
    assert.strictEqual((await readUsdcBalance()) - balanceBefore, 100_000_000n)
    const transaction = await fiat.transaction(finalOrder)
    assert.strictEqual(transaction.status, "REFUNDED")
    assert.strictEqual(transaction.receivedAmount.amount, "100")
  })

  const readAllowance = () => allowanceOf(service, USDC, wallet.address, BANK_ADDRESS)

  /** Retries the execution until it no longer conflicts with another operation of the wallet. */
  const executeInTurn = async ({ signData, withdrawalInstructions }: TestResponse["body"]) => {
    const signatures = await service.signaturesByHash(wallet.privateKey, signData)
    const quoteId = withdrawalInstructions.userOperationHash
    const tryExecute = () => service.request("POST", "/api/v1/crypto/execute", { quoteId, signatures })
    const { body, status } = await waitUntil(tryExecute, ({ status }) => ![409, 429].includes(status))
    assert.strictEqual(status, 200, JSON.stringify(body))
  }

  it("next to another of the same wallet waits for the other's allowance, and both are paid", async () => {
    for (let round = 0; round < 4; round += 1) {
      const amounts = ["20", "10"]
      const orders = await Promise.all(
        amounts.map((amount) => createWithdrawal({ from: { currency: "USDC", amount } }))
      )
      await Promise.all(orders.map(executeInTurn))
      for (const { id } of orders) {
        await fiat.orderIn(id, "PROCESSING")
        await fiat.bank("pay", { orderId: id })
        await fiat.orderIn(id, "COMPLETED")
      }
      assert.strictEqual(await readAllowance(), 0n)
    }
  })

  it("holds its allowance until the bank takes it later, however long another withdrawal waits", async () => {
    await fiat.bank("take-later", { takesLater: true })
    const firstWithdrawal = await createWithdrawal({ from: { currency: "USDC", amount: "20" } })
    await fiat.execute(firstWithdrawal)
    await fiat.orderIn(firstWithdrawal.id, "PROCESSING")
    assert.strictEqual(await readAllowance(), 20_000_000n)
    const secondWithdrawal = await createWithdrawal({ from: { currency: "USDC", amount: "10" } })
    const signatures = await service.signaturesByHash(wallet.privateKey, secondWithdrawal.signData)
    const quoteId = secondWithdrawal.withdrawalInstructions.userOperationHash
    const tryExecute = () => service.request("POST", "/api/v1/crypto/execute", { quoteId, signatures })
    for (let round = 0; round < 3; round += 1) {
      const response = await tryExecute()
      assertRefusal(response, 409, "QUOTE_STALE", /the allowance of .* is changed by transaction .* is pending/u)
      await service.advanceClock(5)
    }
    assert.strictEqual(await readAllowance(), 20_000_000n)
    await fiat.bank("take-later", { takesLater: false })
    await fiat.bank("take", { orderId: firstWithdrawal.id })
    assert.strictEqual(await readAllowance(), 0n)
    const { body, status } = await waitUntil(tryExecute, (response) => ![409, 429].includes(response.status))
    assert.strictEqual(status, 200, JSON.stringify(body))
    for (const { id } of [firstWithdrawal, secondWithdrawal]) {
      await fiat.orderIn(id, "PROCESSING")
      await fiat.bank("pay", { orderId: id })
      await fiat.orderIn(id, "COMPLETED")
    }
    assert.strictEqual(await readAllowance(), 0n)
  })

  it("that an operator ends as failed reports the remaining allowance, unless the bank has taken the token", async () => {
    const createOrderInReview = async (takesLater: boolean) => {
      await fiat.bank("take-later", { takesLater })
      const order = await createWithdrawal({ from: { currency: "USDC", amount: "12" } })
      await fiat.execute(order)
      await fiat.orderIn(order.id, "PROCESSING")
      await fiat.bank("review", { orderId: order.id })
      return fiat.orderIn(order.id, "IN_REVIEW")
    }
    const reviewedOrder = await createOrderInReview(true)
    await resolveOrder(reviewedOrder.id, "FAILED")
    const { reason, resolution } = await fiat.orderIn(reviewedOrder.id, "FAILED")
    assert.match(
      reason,
      new RegExp(`^Looked up at the bank\\. .*allowance still permits ${BANK_ADDRESS} to take 12 USDC.*approve`, "u")
    )
    assert.strictEqual(resolution.reason, "Looked up at the bank")
    assert.strictEqual((await resolveOrder(reviewedOrder.id, "COMPLETED"))._tag, "Failure")
    assert.strictEqual((await fiat.orderIn(reviewedOrder.id, "FAILED")).reason, reason)
    // The wallet can start another withdrawal only after the transaction of this one has ended.
    await waitUntil(
      () => fiat.transaction(reviewedOrder),
      ({ status }) => status === "FAILED"
    )
    const takenWithdrawal = await createOrderInReview(false)
    await resolveOrder(takenWithdrawal.id, "FAILED")
    assert.strictEqual((await fiat.orderIn(takenWithdrawal.id, "FAILED")).reason, "Looked up at the bank")
  })

  it("that the bank rejects reports the remaining allowance, and the next one replaces it", async () => {
    const order = await createWithdrawal({ from: { currency: "USDC", amount: "33" } })
    await fiat.bank("failures", { count: 1_000, status: 400 })
    await fiat.execute(order)
    const failedOrder = await fiat.orderIn(order.id, "FAILED")
    await fiat.bank("failures", { count: 0, status: 500 })
    assert.match(
      failedOrder.reason,
      new RegExp(`allowance still permits ${BANK_ADDRESS} to take 33 USDC.*approve`, "u")
    )
    assert.strictEqual(await readAllowance(), 33_000_000n)
    const nextWithdrawal = await createWithdrawal({ from: { currency: "USDC", amount: "10" } })
    await fiat.execute(nextWithdrawal)
    await fiat.orderIn(nextWithdrawal.id, "PROCESSING")
    assert.strictEqual(await readAllowance(), 0n)
  })

  /** Advances the clock if the day of PIX limits, in São Paulo (UTC-3), ends within 15 minutes. */
  const avoidEndOfDay = async () => {
    const nowSeconds = DateTime.toEpochMillis(await service.run(DateTime.now)) / 1_000
    const secondOfDay = (nowSeconds - 3 * 3_600) % 86_400
    if (secondOfDay > 86_400 - 900) await service.advanceClock(900)
  }

  it("that is not signed in time expires, and releases its share of the limits", async () => {
    const readUsedAmount = async () => {
      const { body } = await service.request("GET", `/api/v1/kyc/identities/${INDIVIDUAL}/financial-limits`)
      const pixLimit = body.limits.find(({ type }: { readonly type: string }) => type === "PIX_WITHDRAWAL")
      return pixLimit.limits.daily.used as number
    }
    await avoidEndOfDay()
    const previousUsed = await readUsedAmount()
    const order = await createWithdrawal()
    assert.strictEqual((await readUsedAmount()) - previousUsed, 539)
    await service.run(FiatOrders.use(({ endUnsigned }) => endUnsigned))
    assert.strictEqual((await fiat.order(order.id)).status, "AWAITING_FUNDS")
    await service.advanceClock(400)
    await service.run(FiatOrders.use(({ endUnsigned }) => endUnsigned))
    assert.strictEqual((await fiat.order(order.id)).status, "EXPIRED")
    assert.strictEqual(await readUsedAmount(), previousUsed)
  })

  it("fails with FAILED_TO_CREATE_FIAT_WITHDRAW while the node is down", async () => {
    const { quoteId } = fiat.created(await fiat.quote("withdrawal"))
    service.takeNodeDown(true)
    const refusal = await service.request("POST", "/api/v2/fiat/withdrawal", { quoteId, paymentMethod: PIX })
    service.takeNodeDown(false)
    assertRefusal(refusal, 500, "FAILED_TO_CREATE_FIAT_WITHDRAW", /is unavailable/u)
  })

  it("pays only to accounts with valid check digits, by the quoted payment method", async () => {
    const { quoteId } = fiat.created(await fiat.quote("withdrawal"))
    const requestWithdrawal = (paymentMethod: unknown) =>
      service.request("POST", "/api/v2/fiat/withdrawal", { quoteId, paymentMethod })
    const wrongKeyResponse = await requestWithdrawal({ ...PIX, pixKey: "529.982.247-26" })
    assertRefusal(wrongKeyResponse, 400, "BAD_REQUEST", /check digits/u)
    assertProblems(await requestWithdrawal({ type: "SPEI", clabe: "032180000118359719" }), [
      "body.paymentMethod.type",
      /PIX/u
    ])
  })
})

describe("quotes and orders", () => {
  it("are not cached by intermediaries", async () => {
    for (const path of ["/api/v2/fiat/orders", "/api/v1/kyc/identities/ana/financial-limits"]) {
      const { headers, status } = await service.request("GET", path)
      assert.deepStrictEqual([status, headers.get("cache-control")], [200, "no-store"])
    }
    const { headers } = await service.request("GET", "/api/v1/crypto/chains")
    assert.isNull(headers.get("cache-control"))
  })

  it("make one order per quote, also for concurrent requests", async () => {
    const { quoteId } = fiat.created(await fiat.quote("deposit", { from: { currency: "BRL", amount: "10" } }))
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => service.request("POST", "/api/v2/fiat/deposit", { quoteId }))
    )
    assert.lengthOf(
      responses.filter(({ status }) => status === 201),
      1
    )
    for (const response of responses.filter(({ status }) => status !== 201)) {
      assertRefusal(response, 409, "FIAT_QUOTE_ALREADY_USED")
    }
  })

  it("are unknown to other projects, and answer 404 for unknown ids", async () => {
    const { quoteId } = fiat.created(await fiat.quote("deposit"))
    const requestDeposit = (id: string) => service.request("POST", "/api/v2/fiat/deposit", { quoteId: id })
    for (const unknownId of ["00000000-0000-4000-8000-000000000000", "nothing"]) {
      assertRefusal(await requestDeposit(unknownId), 404, "FIAT_QUOTE_NOT_FOUND")
    }
    const withdrawalResponse = await service.request("POST", "/api/v2/fiat/withdrawal", { quoteId, paymentMethod: PIX })
    assertRefusal(withdrawalResponse, 404, "FIAT_QUOTE_NOT_FOUND")
    assertRefusal(
      await service.request("GET", "/api/v2/fiat/orders/00000000-0000-4000-8000-000000000000"),
      404,
      "FIAT_ORDER_NOT_FOUND"
    )
  })

  it("expire", async () => {
    const { quoteId } = fiat.created(await fiat.quote("deposit"))
    await service.advanceClock(301)
    assertRefusal(await service.request("POST", "/api/v2/fiat/deposit", { quoteId }), 400, "FIAT_QUOTE_EXPIRED")
  })

  it("name the invalid fields of a request", async () => {
    const assertProblem = async (changes: Record<string, unknown>, path: string, message: RegExp) =>
      assertProblems(await fiat.quote("deposit", changes), [path, message])
    const paidFieldsOf = (amount: string, currency = "BRL") => ({ from: { currency, amount } })
    await assertProblem(paidFieldsOf("1.001"), "body.from.amount", /2 digits/u)
    await assertProblem(paidFieldsOf("0"), "body.from.amount", /above zero/u)
    await assertProblem(paidFieldsOf("4.99"), "body.from.amount", /Check the amount/u)
    await assertProblem(paidFieldsOf("10", "USD"), "body.from.currency", /PIX transfers only BRL/u)
    await assertProblem(
      { chainId: 10 },
      "body.paymentMethod.type",
      /^No fiat provider serves PIX on chain 10\. Served: PIX on 1, 137, 8453, 42161; (?!.*PIX)/u
    )
    await assertProblem({ to: { currency: "DAI" } }, "body.to.currency", /USDC, USDT/u)
    assertRefusal(await fiat.quote("deposit", { individualId: "nobody" }), 404, "IDENTITY_NOT_FOUND")
  })
})

describe("webhooks of the provider", () => {
  const getCallbackUrl = () => `${service.baseUrl}/callbacks/blindpay`

  const readCounts = async () => {
    const { body } = await service.request("GET", "/metrics")
    return Object.fromEntries(
      [...(body as string).matchAll(/^fiat_callbacks_total\{.*?outcome="(\w+)".*?\} (\d+)$/gmu)].map(
        ([, name, count]) => [name, Number(count)]
      )
    )
  }

  it("that are valid, repeated or late only trigger a check of the order", async () => {
    await fiat.bank("webhook", { url: getCallbackUrl() })
    const order = await fiat.deposit()
    await fiat.bank("review", { orderId: order.id })
    await fiat.orderIn(order.id, "IN_REVIEW")
    await fiat.bank("pay", { orderId: order.id })
    const finalOrder = await fiat.orderIn(order.id, "COMPLETED")
    await fiat.bank("tell", { orderId: order.id, copies: 25 })
    await fiat.bank("webhook", { url: null })
    assert.deepStrictEqual(await fiat.order(order.id), finalOrder)
    assert.isAtLeast((await readCounts()).taken ?? 0, 27)
  })

  it("about an unknown order are accepted, counted and stored", async () => {
    const providerOrder = "pi_ofanothersystem"
    const body = JSON.stringify({ webhook_event: "payin.complete", id: providerOrder, status: "completed" })
    const now = DateTime.toEpochMillis(await service.run(DateTime.now)) / 1_000
    const signedHeaderEntries = Object.entries(
      signedHeaders([BLINDPAY_WEBHOOK_SECRET], "msg_stray", Math.floor(now), body)
    )
    const headers = Object.fromEntries(
      signedHeaderEntries.map(([name, value]) => [name.replace("webhook", "svix"), value])
    )
    const countBefore = (await readCounts()).unknown_order ?? 0
    for (let copy = 0; copy < 2; copy++) {
      const { status } = await fetch(getCallbackUrl(), {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body
      })
      assert.strictEqual(status, 204)
    }
    assert.strictEqual((await readCounts()).unknown_order, countBefore + 2)
    const unknownOrders = await service.run(FiatOrderStore.use((store) => store.listUnknown(10)))
    assert.deepStrictEqual(
      unknownOrders.map((one) => [one.provider, one.providerOrder, one.times]),
      [["blindpay", providerOrder, 2]]
    )
  })

  it("without a valid signature are rejected, and counted", async () => {
    const order = await fiat.deposit()
    const body = JSON.stringify({ webhook_event: "payin.complete", id: order.id, status: "completed" })
    const post = (headers: Record<string, string>) =>
      fetch(getCallbackUrl(), { method: "POST", headers: { "content-type": "application/json", ...headers }, body })
    const countBefore = (await readCounts()).refused ?? 0
    const forgedHeaders = {
      "svix-id": "msg_1",
      "svix-timestamp": `${Math.floor(Date.now() / 1_000)}`,
      "svix-signature": "v1,AAAA"
    }
    for (const headers of [{}, forgedHeaders, { ...forgedHeaders, "svix-timestamp": "1" }]) {
      const response = await post(headers as Record<string, string>)
      assert.strictEqual(response.status, 401)
      assert.strictEqual(((await response.json()) as { readonly id: string }).id, "CALLBACK_SIGNATURE_INVALID")
    }
    assert.strictEqual((await readCounts()).refused, countBefore + 3)
    assert.strictEqual((await fiat.order(order.id)).status, "AWAITING_FUNDS")
    const unknownCallback = await fetch(`${service.baseUrl}/callbacks/nobody`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body
    })
    assert.strictEqual(unknownCallback.status, 404)
  })
})

describe("financial limits", () => {
  it("are those that an operator has set for the identity", async () => {
    await fiatClient(service, wallet, "cai").verify()
    await fiat.bank("customer", { individualId: "cai" })
    const overrideLimits = (amounts: LimitAmounts | null) =>
      service.run(
        FiatLimits.use((limits) =>
          limits.override(
            {
              projectId: service.project.id,
              individualId: IndividualId.make("cai"),
              direction: "DEPOSIT",
              method: "PIX"
            },
            amounts
          )
        )
      )
    const requestQuote = () => fiat.quote("deposit", { individualId: "cai", from: { currency: "BRL", amount: "101" } })
    await overrideLimits({ perTransaction: 100n, daily: 200n, monthly: 300n, quarterly: 400n })
    const { body } = await service.request("GET", "/api/v1/kyc/identities/cai/financial-limits")
    const shownLimits = body.limits.find(({ type }: { readonly type: string }) => type === "PIX_DEPOSIT").limits
    assert.deepStrictEqual(
      [shownLimits.perTransaction.limit, shownLimits.daily.limit, shownLimits.quarterly.limit],
      [100, 200, 400]
    )
    assertRefusal(await requestQuote(), 400, "FINANCIAL_LIMIT_EXCEEDED", /has 100 BRL left/u)
    await overrideLimits(null)
    fiat.created(await requestQuote())
  })

  it("are used by orders, and no order exceeds them, also for concurrent requests", async () => {
    await fiatClient(service, wallet, "bea").verify()
    await fiat.bank("customer", { individualId: "bea" })
    const readPixLimits = async () => {
      const { body, status } = await service.request("GET", "/api/v1/kyc/identities/bea/financial-limits")
      assert.strictEqual(status, 200, JSON.stringify(body))
      return body.limits.find(({ type }: { readonly type: string }) => type === "PIX_DEPOSIT")
    }
    assert.deepStrictEqual((await readPixLimits()).limits.daily, { limit: 50_000, used: 0, remaining: 50_000 })
    const quoteFields = { individualId: "bea", from: { currency: "BRL", amount: "20000" } }
    const quotes = await Promise.all(Array.from({ length: 5 }, () => fiat.quote("deposit", quoteFields)))
    const responses = await Promise.all(
      quotes.map((quote) => service.request("POST", "/api/v2/fiat/deposit", { quoteId: fiat.created(quote).quoteId }))
    )
    const createdOrders = responses.filter(({ status }) => status === 201)
    assert.lengthOf(createdOrders, 2)
    for (const response of responses.filter(({ status }) => status !== 201)) {
      assertRefusal(response, 400, "FINANCIAL_LIMIT_EXCEEDED", /daily limit has 10000 BRL left/u)
    }
    assert.deepStrictEqual((await readPixLimits()).limits.daily, { limit: 50_000, used: 40_000, remaining: 10_000 })
    assertRefusal(await fiat.quote("deposit", quoteFields), 400, "FINANCIAL_LIMIT_EXCEEDED")
    // An order that has ended releases its share of the limits.
    await fiat.bank("close", { orderId: createdOrders[0]!.body.id })
    await fiat.orderIn(createdOrders[0]!.body.id, "FAILED")
    assert.deepStrictEqual((await readPixLimits()).limits.daily, { limit: 50_000, used: 20_000, remaining: 30_000 })
    const { body } = await service.request("GET", "/api/v2/fiat/orders?individualId=bea")
    assert.sameMembers(
      body.orders.map(({ id }: { readonly id: string }) => id),
      createdOrders.map((response) => response.body.id)
    )
    assertRefusal(
      await service.request("GET", "/api/v1/kyc/identities/nobody/financial-limits"),
      404,
      "IDENTITY_NOT_FOUND"
    )
  })
})
