import { CustomerLinks } from "@countersign/core/fiat"
import { Address } from "@countersign/core/foundation/primitives"
import type { IndividualId } from "@countersign/core/identity"
import { DataSubjects } from "@countersign/core/tenancy/data-subjects"
import { EventLog } from "@countersign/core/tenancy/events"
import { ActivityStore, ActivityWatch } from "@countersign/core/wallets/chain-activity"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "@effect/vitest"
import { DateTime, Effect, Redacted } from "effect"
import {
  BRIDGE_KEY,
  type BridgeEmulator,
  bridgeKeys,
  startBridgeEmulator
} from "../../adapters/test/fiat/BridgeEmulator.ts"
import { registerOneOfEachKind, type TestWallet, USDC } from "./support/accounts.ts"
import { balanceOf } from "./support/balances.ts"
import { fiatClient, makeBridgeChains } from "./support/fiatClient.ts"
import { startTestService, type TestService } from "./support/testService.ts"
import { decideSession, INDIVIDUALS, person, submitVerification } from "./support/verifications.ts"

/** Tests two fiat providers, deposits that are not paid as requested, and reorgs of token transfers. */

const ADA = "cust_ada"
const DAY_SECONDS = 24 * 3_600

let bridge: BridgeEmulator
let service: TestService
let wallet: TestWallet
let fiat: ReturnType<typeof fiatClient>

beforeAll(async () => {
  bridge = await startBridgeEmulator(makeBridgeChains(() => service))
  service = await startTestService({
    bridge: {
      url: bridge.url,
      apiKey: Redacted.make(BRIDGE_KEY),
      hasTerms: true,
      webhookPublicKey: bridgeKeys.publicKey
    }
  })
  wallet = (await registerOneOfEachKind(service))[0]!
  fiat = fiatClient(service, wallet, ADA)
  await fiat.verify()
  bridge.addCustomer(ADA)
  await fiat.bank("customer", { individualId: ADA })
})
afterEach(() => bridge.heal())
afterAll(async () => {
  await service.stop()
  await bridge.stop()
})

const replaceBigint = (_: string, value: unknown) => (typeof value === "bigint" ? String(value) : value)

const readUsdcBalance = () => balanceOf(service, USDC, wallet.address)

const usdDeposit = { paymentMethod: { type: "ACH" }, from: { currency: "USD", amount: "50.00" } }
const usdWithdrawal = { paymentMethod: { type: "ACH" }, to: { currency: "USD" } }
const ACH = {
  type: "ACH",
  routingNumber: "021000021",
  accountNumber: "31254097",
  accountType: "CHECKING",
  beneficiaryName: "Ada Example"
}

const callRpc = async (method: string, ...params: ReadonlyArray<unknown>) => {
  const response = await fetch(service.chains.rpcUrl(1), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
  })
  const { error, result } = (await response.json()) as { readonly error?: object; readonly result: unknown }
  assert.isUndefined(error, JSON.stringify(error))
  return result
}

/** Waits until the wallet's operation for a withdrawal is included in a block. Returns the transaction hash. */
const waitForOperationHash = async (id: string): Promise<string> => {
  const { transactionId } = await fiat.until(
    () => fiat.order(id),
    (order) => order.transactionId !== null
  )
  return fiat.until(
    async () => {
      const hash = (await fiat.transaction({ transactionId })).transactionHash?.hash ?? null
      return hash === null || (await callRpc("eth_getTransactionReceipt", hash)) === null ? null : hash
    },
    (hash) => hash !== null
  )
}

/** Runs the chain watcher up to the head of the chain. */
const watchChain = async () => {
  const head = Number(await callRpc("eth_blockNumber"))
  await fiat.until(
    () =>
      service.run(
        Effect.gen(function* () {
          yield* (yield* ActivityWatch).watchDue
          return (
            (yield* (yield* ActivityStore).listChains).find(({ chainId }) => chainId === 1)?.progress?.last.number ?? 0
          )
        })
      ),
    (last) => last >= head
  )
}

type ShownAmount = { readonly amount: string; readonly currency: string | null } | null

/** Returns the sent and the received amount. An amount without a currency is in USDC here. */
const amountsOf = ({ receivedAmount, sentAmount }: Record<string, ShownAmount>) => ({
  sent: sentAmount && `${sentAmount.amount} ${sentAmount.currency ?? "USDC"}`,
  received: receivedAmount && `${receivedAmount.amount} ${receivedAmount.currency ?? "USDC"}`
})

describe("two providers", () => {
  it("both return a quote, and the one with the larger amount is selected", async () => {
    const { candidates, to } = fiat.created(await fiat.quote("deposit", usdDeposit))
    assert.deepStrictEqual(candidates, [
      { provider: "blindpay", amount: "49", refusal: null },
      { provider: "bridge", amount: "50", refusal: null }
    ])
    assert.strictEqual(to.amount, "50")
    const brlQuote = fiat.created(await fiat.quote("deposit"))
    assert.deepStrictEqual(
      brlQuote.candidates.map(({ amount, provider }: Record<string, string>) => [provider, amount]),
      [
        ["blindpay", "100"],
        ["bridge", "100.085"]
      ]
    )
    // Only one provider supports this currency.
    const pesoDeposit = { paymentMethod: { type: "TRANSFERS" }, from: { currency: "ARS", amount: "140001.00" } }
    assert.lengthOf(fiat.created(await fiat.quote("deposit", pesoDeposit)).candidates, 1)
  })

  /** Waits until the service sends requests to the provider again after a pause. */
  const waitUntilBridgeIsUsed = () =>
    fiat.until(
      async () => fiat.created(await fiat.quote("deposit", usdDeposit)).candidates[1],
      ({ refusal }) => refusal === null
    )

  it("are skipped while they are down, and the candidates state so", async () => {
    bridge.failAll({ _tag: "Status", status: 503 })
    const { candidates, to } = fiat.created(await fiat.quote("deposit", usdDeposit))
    bridge.heal()
    assert.strictEqual(to.amount, "49")
    assert.match(candidates[1].refusal, /Bridge.*503/u)
    bridge.failAll({ _tag: "Status", status: 429 })
    assert.match(fiat.created(await fiat.quote("deposit", usdDeposit)).candidates[1].refusal, /limits the rate/u)
    bridge.heal()
    await waitUntilBridgeIsUsed()
    await fiat.bank("failures", { count: 1_000, status: 500 })
    assert.strictEqual(fiat.created(await fiat.quote("deposit", usdDeposit)).to.amount, "50")
    await fiat.bank("failures", { count: 0, status: 500 })
  })

  it("make a withdrawal through the one that pays more, or through the one that is up", async () => {
    const withdrawalQuote = fiat.created(await fiat.quote("withdrawal", usdWithdrawal))
    assert.deepStrictEqual(withdrawalQuote.candidates, [
      { provider: "blindpay", amount: "99", refusal: null },
      { provider: "bridge", amount: "100", refusal: null }
    ])
    assert.strictEqual(withdrawalQuote.to.amount, "100")
    const providerOf = async (paymentMethod: Record<string, unknown>) => {
      const order = await fiat.withdrawal(paymentMethod, usdWithdrawal)
      return (await fiat.order(order.id)).provider
    }
    assert.strictEqual(await providerOf(ACH), "bridge")
    bridge.failAll({ _tag: "Status", status: 503 })
    assert.strictEqual(await providerOf(ACH), "blindpay")
    bridge.heal()
  })

  it("that are both down make requests fail with UPSTREAM_UNAVAILABLE", async () => {
    bridge.failAll({ _tag: "Status", status: 503 })
    await fiat.bank("failures", { count: 1_000, status: 503 })
    const { body, status } = await fiat.quote("deposit", usdDeposit)
    bridge.heal()
    await fiat.bank("failures", { count: 0, status: 503 })
    await waitUntilBridgeIsUsed()
    assert.deepStrictEqual([status, body.id], [502, "UPSTREAM_UNAVAILABLE"], JSON.stringify(body))
  })
})

describe("Bridge", () => {
  it("receives a deposit, and sends the stablecoin", async () => {
    const order = await fiat.deposit(usdDeposit)
    assert.deepInclude(order.depositInstructions, { type: "ACH", routingNumber: "101019644" })
    assert.match(order.depositInstructions.memoCode, /^BRG/u)
    const balanceBefore = await readUsdcBalance()
    await bridge.pay(order.id, "50.00")
    const finalOrder = await fiat.orderIn(order.id, "COMPLETED")
    assert.strictEqual((await readUsdcBalance()) - balanceBefore, 50_000_000n)
    assert.deepStrictEqual([finalOrder.provider, finalOrder.reason], ["bridge", null])
    assert.deepStrictEqual(amountsOf(await fiat.transaction(finalOrder)), { sent: "50 USD", received: "50 USDC" })
  })

  it("receives the stablecoin of a withdrawal from the owner's operation, and pays", async () => {
    const order = await fiat.withdrawal(ACH, usdWithdrawal)
    assert.deepStrictEqual(order.to, { currency: "USD", amount: "100" })
    const balanceBefore = await readUsdcBalance()
    await fiat.execute(order)
    await fiat.orderIn(order.id, "PROCESSING")
    assert.isTrue(balanceBefore - (await readUsdcBalance()) >= 100_000_000n)
    const { id } = [...bridge.transfers.values()].at(-1)!
    await waitForOperationHash(order.id)
    await bridge.pay(id)
    const finalOrder = await fiat.orderIn(order.id, "COMPLETED")
    const transaction = await fiat.transaction(finalOrder)
    assert.deepStrictEqual(amountsOf(transaction), { sent: "100 USDC", received: "100 USD" })
  })

  it("sends signed change notifications; one that is forged or older than ten minutes is rejected", async () => {
    const order = await fiat.deposit(usdDeposit)
    const nowMs = DateTime.toEpochMillis(await service.run(DateTime.now))
    const post = async ({ body, headers }: ReturnType<BridgeEmulator["message"]>) => {
      const response = await fetch(`${service.baseUrl}/callbacks/bridge`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body
      })
      return response.status
    }
    await bridge.set(order.id, "in_review")
    assert.strictEqual(await post(bridge.message(order.id, "once", nowMs)), 204)
    await fiat.orderIn(order.id, "IN_REVIEW")
    assert.strictEqual(await post(bridge.message(order.id, "twice", nowMs)), 204)
    assert.strictEqual(await post(bridge.message(order.id, "once", nowMs - 11 * 60_000)), 401)
    const bridgeMessage = bridge.message(order.id, "once", nowMs)
    assert.strictEqual(await post({ ...bridgeMessage, body: bridgeMessage.body.replace("in_review", "canceled") }), 401)
    assert.strictEqual((await fiat.order(order.id)).status, "IN_REVIEW")
  })

  it("credits another amount than requested, and the order states so", async () => {
    const order = await fiat.deposit(usdDeposit)
    const balanceBefore = await readUsdcBalance()
    await bridge.pay(order.id, "48.37")
    const finalOrder = await fiat.orderIn(order.id, "COMPLETED")
    assert.strictEqual((await readUsdcBalance()) - balanceBefore, 48_370_000n)
    assert.deepStrictEqual([finalOrder.from.amount, finalOrder.to.amount], ["48.37", "48.37"])
    assert.strictEqual(finalOrder.reason, "48.37 USD arrived instead of 50 USD")
    const transaction = await fiat.transaction(finalOrder)
    assert.deepStrictEqual(amountsOf(transaction), { sent: "48.37 USD", received: "48.37 USDC" })
    assert.deepStrictEqual(transaction.fiat, { orderId: order.id, from: finalOrder.from, to: finalOrder.to })
  })
})

describe("a deposit of another amount whose transaction is reported late", () => {
  type RecordedTransaction = { readonly id: string; readonly type: string; readonly status: string }
  const transactionsOf = async (hash: string): Promise<ReadonlyArray<RecordedTransaction>> => {
    await watchChain()
    const { body } = await service.request("GET", `/api/v1/wallets/${wallet.address}/history?transactionHash=${hash}`)
    return body.transactions
  }
  const isCounted = ({ status }: RecordedTransaction) => status !== "CANCELLED"

  it("replaces the transfer that the chain watcher recorded, with its movements", async () => {
    await watchChain()
    const order = await fiat.deposit(usdDeposit)
    const hash = (await bridge.pay(order.id, "31.07", { isNamed: false }))!
    assert.lengthOf(await transactionsOf(hash), 0)
    await service.advanceClock(130)
    const [recordedDeposit] = await fiat.until(
      () => transactionsOf(hash),
      ({ length }) => length === 1
    )
    assert.deepInclude(recordedDeposit, { type: "CRYPTO_DEPOSIT", status: "COMPLETED" })
    await bridge.set(order.id, "payment_processed", { destination_tx_hash: hash })
    await service.advanceClock(60)
    const finalOrder = await fiat.orderIn(order.id, "COMPLETED")
    const transactions = await fiat.until(
      () => transactionsOf(hash),
      (all) => all.filter(isCounted).length === 1
    )
    assert.deepStrictEqual(transactions.find(isCounted)!.id, finalOrder.transactionId)
    const previousTransaction = await fiat.transaction({ transactionId: recordedDeposit!.id })
    assert.deepInclude(previousTransaction, { status: "CANCELLED", substatus: "RECORDED_ELSEWHERE", movements: [] })
    assert.strictEqual((await fiat.transaction(finalOrder)).receivedAmount.amount, "31.07")
    // Later checks must not record the transfer again.
    await service.advanceClock(130)
    assert.lengthOf((await transactionsOf(hash)).filter(isCounted), 1)
  })
})

describe("a withdrawal that Bridge refunds", () => {
  const startReturnedWithdrawal = async () => {
    const order = await fiat.withdrawal(ACH, usdWithdrawal)
    await fiat.execute(order)
    await fiat.orderIn(order.id, "PROCESSING")
    const { id } = [...bridge.transfers.values()].at(-1)!
    await fiat.until(
      async () => bridge.transferOf(id).state,
      (state) => state === "funds_received"
    )
    await bridge.set(id, "returned")
    await fiat.orderIn(order.id, "IN_REVIEW")
    return { order, id }
  }
  /** Sends USDC back from the provider to the wallet. */
  const sendBack = (id: string, units: bigint) => {
    const { to_address } = bridge.transferOf(id).source_deposit_instructions
    return makeBridgeChains(() => service).give(
      1,
      Address.make(String(to_address)),
      Address.make(wallet.address),
      units
    )
  }

  it("is refunded once the token is back in the wallet, with one movement for the return", async () => {
    const { id, order } = await startReturnedWithdrawal()
    await watchChain()
    const balanceBefore = await readUsdcBalance()
    const hash = await sendBack(id, 100_000_000n)
    await watchChain()
    await bridge.set(id, "refunded")
    const returnedOrder = await fiat.orderIn(order.id, "RETURNED")
    assert.strictEqual((await readUsdcBalance()) - balanceBefore, 100_000_000n)
    const transaction = await fiat.transaction(returnedOrder)
    assert.strictEqual(transaction.status, "REFUNDED")
    assert.deepStrictEqual(amountsOf(transaction), { sent: "100 USDC", received: "100 USDC" })
    await service.advanceClock(130)
    await watchChain()
    const { body } = await service.request("GET", `/api/v1/wallets/${wallet.address}/history?transactionHash=${hash}`)
    const transactions = body.transactions.filter(({ status }: { readonly status: string }) => status !== "CANCELLED")
    assert.deepStrictEqual(
      transactions.map(({ id }: { readonly id: string }) => id),
      [returnedOrder.transactionId]
    )
  })

  it("fails if the token went to another address, or another amount returned", async () => {
    const { id, order } = await startReturnedWithdrawal()
    await sendBack(id, 99_000_000n)
    await watchChain()
    await bridge.set(id, "refunded")
    const failedOrder = await fiat.orderIn(order.id, "FAILED")
    assert.match(failedOrder.reason, /return policy/u)
    assert.strictEqual((await fiat.transaction(failedOrder)).status, "FAILED")
  })
})

describe("an individual whom a session has verified", () => {
  const CUSTOMER = "cust_of_bea_at_bridge"
  const linkedPerson = {
    ...person,
    firstName: "Bea",
    lastName: "Linked",
    documentId: "LN1",
    documentCountry: "UNITED_STATES",
    nationality: "AMERICAN",
    address: "8 The Green",
    city: "Dover",
    state: "DE",
    postalCode: "19901"
  }
  const useLinks = <A>(use: (links: CustomerLinks["Service"]) => Effect.Effect<A, unknown>) =>
    service.run(CustomerLinks.use(use))

  const verifyBea = async () => {
    const { session } = await submitVerification(service, INDIVIDUALS, linkedPerson)
    await decideSession(service, session.id, null)
    return session.individualId as IndividualId
  }

  it("deposits through a provider once an operator has linked its customer there, and no other individual gets that link", async () => {
    const individualId = await verifyBea()
    bridge.addCustomer(CUSTOMER)
    const client = fiatClient(service, wallet, individualId)
    // The approval has registered the individual with BlindPay. Bridge first requires that the customer accepts an
    // agreement.
    const refusalOf = ({ body }: Awaited<ReturnType<typeof client.quote>>) => body.candidates[1].refusal
    assert.match(refusalOf(await client.quote("deposit", usdDeposit)), /bridge: it needs agreementId/u)
    await useLinks(({ link }) => link(service.project.id, individualId, { provider: "bridge", customer: CUSTOMER }))

    const order = await client.deposit(usdDeposit)
    assert.strictEqual(bridge.transferOf(order.id).on_behalf_of, CUSTOMER)
    const balanceBefore = await readUsdcBalance()
    await bridge.pay(order.id, "50.00")
    const finalOrder = await client.orderIn(order.id, "COMPLETED")
    assert.strictEqual((await readUsdcBalance()) - balanceBefore, 50_000_000n)
    const sentWithdrawal = await client.withdrawal({ ...ACH }, usdWithdrawal)
    assert.strictEqual([...bridge.transfers.values()].at(-1)!.on_behalf_of, CUSTOMER)

    const events = await service.run(
      EventLog.use((log) => log.read({ projectId: null, after: { at: DateTime.makeUnsafe(0), id: "" }, limit: 1_000 }))
    )
    const visibleData = [
      order,
      finalOrder,
      sentWithdrawal,
      await client.transaction(finalOrder),
      events,
      service.logLines
    ]
    assert.notInclude(JSON.stringify(visibleData, replaceBigint), CUSTOMER)

    const heldData = await service.run(
      DataSubjects.use((subjects) => subjects.export(service.project.id, individualId))
    )
    assert.deepInclude(heldData.customers, { provider: "bridge", customer: CUSTOMER })
    assert.isTrue(await useLinks(({ unlink }) => unlink(service.project.id, individualId, "bridge")))
    const unlinkedRefusal = refusalOf(await client.quote("deposit", usdDeposit))
    assert.include(unlinkedRefusal, `countersign identity link ${individualId} --provider bridge`)
  })
})

describe("a deposit that is not paid as requested", () => {
  const REFUND_REASON = "BlindPay refunded the payer"
  const statesOf = ({ steps }: { readonly steps: ReadonlyArray<{ readonly status: string }> }) =>
    steps.map(({ status }) => status)
  /** A deposit in ARS, which only BlindPay supports. */
  const pesoDeposit = { paymentMethod: { type: "TRANSFERS" }, from: { currency: "ARS", amount: "140001.00" } }

  it.each([
    { how: "of another amount", payment: { amount: 13_000_000 }, paid: "130000" },
    { how: "from another name", payment: { fromName: "Bob Other" }, paid: "140001" }
  ])("$how is returned, and the history contains the return", async ({ paid, payment }) => {
    const order = await fiat.deposit(pesoDeposit)
    const balanceBefore = await readUsdcBalance()
    await fiat.bank("pay", { orderId: order.id, ...payment })
    const returnedOrder = await fiat.orderIn(order.id, "REFUNDED")
    assert.strictEqual(returnedOrder.reason, REFUND_REASON)
    assert.deepStrictEqual(statesOf(returnedOrder), ["AWAITING_FUNDS", "REFUNDED"])
    assert.strictEqual(await readUsdcBalance(), balanceBefore)
    const transaction = await fiat.transaction(returnedOrder)
    assert.strictEqual(transaction.status, "REFUNDED")
    assert.deepStrictEqual(amountsOf(transaction), { sent: `${paid} ARS`, received: `${paid} ARS` })
  })

  it("but paid twice is credited once, and the second payment is returned", async () => {
    const order = await fiat.deposit(pesoDeposit)
    const balanceBefore = await readUsdcBalance()
    await fiat.bank("pay", { orderId: order.id })
    const finalOrder = await fiat.orderIn(order.id, "COMPLETED")
    const { ledger } = await fiat.bank("pay", { orderId: order.id })
    await fiat.bank("tell", { orderId: order.id, copies: 2 })
    assert.strictEqual((await readUsdcBalance()) - balanceBefore, 100_000_000n)
    assert.deepStrictEqual(await fiat.order(order.id), finalOrder)
    const pesoEntries = ledger.filter(({ code }: { readonly code: string }) => code === "ARS").slice(-3)
    assert.deepStrictEqual(
      pesoEntries.map(({ cents }: { readonly cents: string }) => cents),
      ["14000100", "14000100", "-14000100"]
    )
  })

  it("in time expires, and a later payment is returned, or credited by a provider that does so", async () => {
    const [lateOrder, creditedOrder] = [await fiat.deposit(pesoDeposit), await fiat.deposit(usdDeposit)]
    await service.advanceClock(11 * DAY_SECONDS)
    await fiat.orderIn(lateOrder.id, "EXPIRED")
    const expiredOrder = await fiat.orderIn(creditedOrder.id, "EXPIRED")
    assert.strictEqual((await fiat.transaction(expiredOrder)).status, "EXPIRED")
    const balanceBefore = await readUsdcBalance()
    await fiat.bank("pay", { orderId: lateOrder.id })
    await bridge.pay(creditedOrder.id, "50.00")
    // The provider sends no webhook, so the service must poll the orders.
    await service.advanceClock(2 * 3_600)
    const returnedOrder = await fiat.orderIn(lateOrder.id, "REFUNDED")
    assert.strictEqual(returnedOrder.reason, REFUND_REASON)
    assert.deepStrictEqual(amountsOf(await fiat.transaction(returnedOrder)), {
      sent: "140001 ARS",
      received: "140001 ARS"
    })
    const finalOrder = await fiat.orderIn(creditedOrder.id, "COMPLETED")
    assert.deepStrictEqual(statesOf(finalOrder), ["AWAITING_FUNDS", "EXPIRED", "COMPLETED"])
    assert.strictEqual((await readUsdcBalance()) - balanceBefore, 50_000_000n)
    const transaction = await fiat.transaction(finalOrder)
    assert.deepStrictEqual([transaction.status, amountsOf(transaction).received], ["COMPLETED", "50 USDC"])
  })
})

describe("a chain with reorgs", () => {
  it("removes a deposit's stablecoin, and the deposit completes again with the next transfer", async () => {
    const order = await fiat.deposit(usdDeposit)
    await bridge.pay(order.id, "50.00")
    const finalOrder = await fiat.orderIn(order.id, "COMPLETED")
    await fiat.until(
      () => fiat.transaction(finalOrder),
      ({ status }) => status === "COMPLETED"
    )
    const balanceBefore = await readUsdcBalance()
    await callRpc("anvil_reorg", 1, [])
    assert.strictEqual(balanceBefore - (await readUsdcBalance()), 50_000_000n)
    const pendingTransaction = await fiat.until(
      () => fiat.transaction(finalOrder),
      ({ status }) => status === "PROCESSING"
    )
    assert.strictEqual(pendingTransaction.executedAt ?? null, null)
    // Bridge sends the USDC again, and reports the new transaction.
    await bridge.resend(bridge.transferOf(order.id).id)
    const repeatedTransaction = await fiat.until(
      () => fiat.transaction(finalOrder),
      ({ status }) => status === "COMPLETED"
    )
    assert.strictEqual(await readUsdcBalance(), balanceBefore)
    assert.deepStrictEqual(amountsOf(repeatedTransaction), { sent: "50 USD", received: "50 USDC" })
    assert.deepStrictEqual((await fiat.order(order.id)).steps, finalOrder.steps)
  })

  const pesoAccount = { type: "TRANSFERS", cbuOrCvu: "2850590940090418135201" }
  const pesoWithdrawal = { paymentMethod: { type: "TRANSFERS" }, to: { currency: "ARS" } }
  const ledgerEntriesOf = async (id: string) => {
    const { ledger } = await fiat.bank("failures", { count: 0, status: 503 })
    return ledger
      .filter(({ key }: { readonly key: string }) => key === id)
      .map(({ cents, code }: Record<string, string>) => `${cents} ${code}`)
  }
  const paidAmounts = ["10000 USDC", "-13999900 ARS"]
  const expectedAmounts = { sent: "100 USDC", received: "139999 ARS" }

  it("removes an allowance before the service notifies the provider, which happens once a block has the operation again", async () => {
    const order = await fiat.withdrawal(pesoAccount, pesoWithdrawal)
    await fiat.bank("failures", { count: 1_000, status: 503 })
    await fiat.execute(order)
    const firstHash = await waitForOperationHash(order.id)
    assert.strictEqual((await fiat.order(order.id)).status, "AWAITING_FUNDS")
    await callRpc("anvil_reorg", 1, [])
    assert.isNull(await callRpc("eth_getTransactionReceipt", firstHash))
    await waitForOperationHash(order.id)
    const balanceBefore = await readUsdcBalance()
    await fiat.bank("failures", { count: 0, status: 503 })
    await service.advanceClock(60)
    await fiat.orderIn(order.id, "PROCESSING")
    assert.strictEqual(balanceBefore - (await readUsdcBalance()), 100_000_000n)
    await fiat.bank("pay", { orderId: order.id })
    const finalOrder = await fiat.orderIn(order.id, "COMPLETED")
    assert.deepStrictEqual(amountsOf(await fiat.transaction(finalOrder)), expectedAmounts)
    assert.deepStrictEqual(await ledgerEntriesOf(order.id), paidAmounts)
  })

  it("removes an allowance and the provider's pull: both are included again, and the bank pays once", async () => {
    const order = await fiat.withdrawal(pesoAccount, pesoWithdrawal)
    await fiat.execute(order)
    await fiat.orderIn(order.id, "PROCESSING")
    const firstHash = await waitForOperationHash(order.id)
    const balanceBefore = await readUsdcBalance()
    const { blockNumber } = (await callRpc("eth_getTransactionReceipt", firstHash)) as { readonly blockNumber: string }
    await callRpc("anvil_reorg", Number(await callRpc("eth_blockNumber")) - Number(blockNumber) + 1, [])
    assert.isNull(await callRpc("eth_getTransactionReceipt", firstHash))
    assert.isTrue((await readUsdcBalance()) > balanceBefore)
    await waitForOperationHash(order.id)
    await fiat.bank("take", { orderId: order.id })
    await fiat.bank("pay", { orderId: order.id })
    const finalOrder = await fiat.orderIn(order.id, "COMPLETED")
    assert.deepStrictEqual(amountsOf(await fiat.transaction(finalOrder)), expectedAmounts)
    assert.deepStrictEqual(await ledgerEntriesOf(order.id), paidAmounts)
  })

  it("removes a provider's pull after the bank has paid: the withdrawal completes again with the next pull", async () => {
    const order = await fiat.withdrawal(pesoAccount, pesoWithdrawal)
    await fiat.execute(order)
    await fiat.orderIn(order.id, "PROCESSING")
    await fiat.bank("pay", { orderId: order.id })
    const finalOrder = await fiat.orderIn(order.id, "COMPLETED")
    const balanceBefore = await readUsdcBalance()
    await callRpc("anvil_reorg", 1, [])
    assert.strictEqual((await readUsdcBalance()) - balanceBefore, 100_000_000n)
    await fiat.until(
      () => fiat.transaction(finalOrder),
      ({ status }) => status === "PROCESSING"
    )
    await fiat.bank("take", { orderId: order.id })
    const repeatedTransaction = await fiat.until(
      () => fiat.transaction(finalOrder),
      ({ status }) => status === "COMPLETED"
    )
    assert.strictEqual(await readUsdcBalance(), balanceBefore)
    assert.deepStrictEqual(amountsOf(repeatedTransaction), expectedAmounts)
    assert.deepStrictEqual((await fiat.order(order.id)).steps, finalOrder.steps)
    assert.deepStrictEqual(await ledgerEntriesOf(order.id), paidAmounts)
  })

  it("removes a withdrawal's operation, which is sent again, and the bank pays once", async () => {
    const order = await fiat.withdrawal(ACH, usdWithdrawal)
    await fiat.execute(order)
    await fiat.orderIn(order.id, "PROCESSING")
    const firstHash = await waitForOperationHash(order.id)
    const balanceBefore = await readUsdcBalance()
    await callRpc("anvil_reorg", 1, [])
    assert.isTrue((await readUsdcBalance()) - balanceBefore >= 100_000_000n)
    assert.isNull(await callRpc("eth_getTransactionReceipt", firstHash))
    await waitForOperationHash(order.id)
    const { id } = [...bridge.transfers.values()].at(-1)!
    await bridge.pay(id)
    const finalOrder = await fiat.orderIn(order.id, "COMPLETED")
    assert.deepStrictEqual(amountsOf(await fiat.transaction(finalOrder)), { sent: "100 USDC", received: "100 USD" })
    const paidEntries = bridge.ledger.filter(({ transfer }) => transfer === id)
    assert.deepStrictEqual(
      paidEntries.map(({ amount, currency }) => `${amount} ${currency}`),
      ["100 usdc", "-100.00 usd"]
    )
  })
})
