import { ActivityWatch } from "@countersign/core/wallets/chain-activity"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { registerOneOfEachKind, type TestWallet, USDC } from "./support/accounts.ts"
import { balanceOf } from "./support/balances.ts"
import { fiatClient } from "./support/fiatClient.ts"
import { startTestService, type TestService } from "./support/testService.ts"
import { decideSession, INDIVIDUALS, person, submitVerification } from "./support/verifications.ts"

/** Tests the sandbox's two fiat providers: the quotes of both, and the bank commands for Bridge's orders. */

let service: TestService
let wallet: TestWallet
let fiat: ReturnType<typeof fiatClient>
let sessionId: string

beforeAll(async () => {
  service = await startTestService({ hasBridge: true })
  wallet = (await registerOneOfEachKind(service))[0]!
  const { session } = await submitVerification(service, INDIVIDUALS, { ...person, documentId: "BRIDGED" })
  await decideSession(service, session.id, null)
  sessionId = session.id
  fiat = fiatClient(service, wallet, session.individualId)
})
afterAll(() => service.stop())

const usdDeposit = { paymentMethod: { type: "ACH" }, from: { currency: "USD", amount: "50.00" } }
const usdWithdrawal = { paymentMethod: { type: "ACH" }, to: { currency: "USD" } }
const account = {
  type: "ACH",
  routingNumber: "021000021",
  accountNumber: "31254097",
  accountType: "CHECKING",
  beneficiaryName: `${person.firstName} ${person.lastName}`
}

const readUsdcBalance = () => balanceOf(service, USDC, wallet.address)

type LedgerEntry = { readonly transfer: string; readonly currency: string; readonly amount: string }

const lastEntriesOf = ({ bridge }: { readonly bridge: ReadonlyArray<LedgerEntry> }, count: number) =>
  bridge.slice(-count).map(({ amount, currency }) => `${amount} ${currency}`)

describe("the sandbox's fiat providers", () => {
  it("both register a person immediately", async () => {
    const { body } = await service.request("GET", `${INDIVIDUALS}/${sessionId}`)
    const registrations: ReadonlyArray<Record<string, string>> = body.session.fiatRegistrations
    assert.deepStrictEqual(
      registrations.map(({ provider, status }) => `${provider} ${status}`),
      ["blindpay ACTIVE", "bridge ACTIVE"]
    )
  })

  it("both return quotes: Bridge pays more for a small amount, and BlindPay for a large one", async () => {
    const bestProviderOf = async (amount: string) => {
      const changes = { from: { currency: "BRL", amount } }
      const { candidates } = fiat.created(await fiat.quote("deposit", changes))
      const bestCandidate = candidates.toSorted(
        (a: LedgerEntry, b: LedgerEntry) => Number(b.amount) - Number(a.amount)
      )[0]
      return bestCandidate.provider
    }
    assert.deepStrictEqual([await bestProviderOf("100.00"), await bestProviderOf("5000.00")], ["bridge", "blindpay"])
  })

  it("return a quote while the other one is down", async () => {
    await fiat.bank("failures", { count: 1_000, status: 500 })
    const { candidates } = fiat.created(await fiat.quote("deposit", { from: { currency: "BRL", amount: "5000.00" } }))
    await fiat.bank("failures", { count: 0, status: 500 })
    assert.match(candidates[0].refusal, /BlindPay/u)
  })
})

describe("Bridge of the sandbox", () => {
  it("credits a deposit once and returns a second payment", async () => {
    const order = await fiat.deposit(usdDeposit)
    assert.match(order.depositInstructions.memoCode, /^BRG/u)
    const balanceBefore = await readUsdcBalance()
    const payment = await fiat.bank("pay", { orderId: order.id })
    assert.deepStrictEqual(lastEntriesOf(payment, 2), ["50.00 usd", "-50.000000 usdc"])
    const finalOrder = await fiat.orderIn(order.id, "COMPLETED")
    assert.strictEqual(finalOrder.provider, "bridge")
    const secondPayment = await fiat.bank("pay", { orderId: order.id })
    assert.deepStrictEqual(lastEntriesOf(secondPayment, 2), ["50.00 usd", "-50.00 usd"])
    assert.strictEqual((await readUsdcBalance()) - balanceBefore, 50_000_000n)
  })

  it("returns the payment of a deposit", async () => {
    const order = await fiat.deposit(usdDeposit)
    await fiat.bank("return", { orderId: order.id })
    await fiat.orderIn(order.id, "REFUNDED")
  })

  it("reviews and closes a deposit", async () => {
    const order = await fiat.deposit(usdDeposit)
    await fiat.bank("review", { orderId: order.id })
    await fiat.orderIn(order.id, "IN_REVIEW")
    await fiat.bank("close", { orderId: order.id })
    // Reviews take hours, so the service polls rarely.
    await service.advanceClock(3_600)
    await fiat.orderIn(order.id, "CANCELLED")
  })

  it("detects the token of a withdrawal and pays out", async () => {
    const order = await fiat.withdrawal(account, usdWithdrawal)
    const balanceBefore = await readUsdcBalance()
    await fiat.execute(order)
    await fiat.orderIn(order.id, "PROCESSING")
    const payment = await fiat.bank("pay", { orderId: order.id })
    assert.deepStrictEqual(lastEntriesOf(payment, 2), ["100 usdc", "-100.00 usd"])
    const finalOrder = await fiat.orderIn(order.id, "COMPLETED")
    assert.deepStrictEqual([finalOrder.provider, finalOrder.to.amount], ["bridge", "100"])
    assert.isTrue(balanceBefore - (await readUsdcBalance()) >= 100_000_000n)
  })

  it("returns the token of a withdrawal to the wallet that sent it", async () => {
    const order = await fiat.withdrawal(account, usdWithdrawal)
    await fiat.execute(order)
    await fiat.orderIn(order.id, "PROCESSING")
    const balanceBefore = await readUsdcBalance()
    await fiat.bank("return", { orderId: order.id })
    assert.strictEqual((await readUsdcBalance()) - balanceBefore, 100_000_000n)
    await service.run(ActivityWatch.use((watch) => watch.watchDue))
    await fiat.orderIn(order.id, "RETURNED")
  })
})
