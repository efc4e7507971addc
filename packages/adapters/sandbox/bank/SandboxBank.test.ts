import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { SandboxBank } from "./SandboxBank.ts"

const WALLET = `0x${"12".repeat(20)}`
const HASH = `0x${"5a".repeat(32)}`

/** Creates a bank whose transactions revert or are dropped while `fault.current` is set. */
const bankOn = (fault: { current: "REVERTED" | "DROPPED" | null }, home: string | null = null) => {
  let requestCount = 0
  const call = async (method: string) => {
    if (method === "eth_sendTransaction") {
      requestCount += 1
      return HASH
    }
    if (method === "eth_getTransactionReceipt" && fault.current !== "DROPPED")
      return { status: fault.current === null ? "0x1" : "0x0", transactionHash: HASH, logs: [] }
    return null
  }
  const network = {
    clock: { nowSeconds: () => 1_800_000_000 },
    fund: async () => undefined,
    fundUpTo: async () => undefined,
    chain: () => ({ call })
  }
  const bank = new SandboxBank(network as unknown as ConstructorParameters<typeof SandboxBank>[0], home)
  const postToBank = async (path: string, body: Record<string, unknown>) =>
    (await bank.respond("POST", path, body, null)) as { readonly id: string; readonly status: string }
  const statusOf = async (id: string) =>
    (await bank.respond("GET", `/payins/${id}`, {}, null)) as {
      readonly status: string
      readonly tracking_transaction: { readonly transaction_hash: string | null }
    }
  const deposit = async () => {
    const wallet = await postToBank(`/customers/${bank.addCustomer("ana")}/blockchain-wallets`, {
      address: WALLET,
      network: "ethereum"
    })
    const terms = { blockchain_wallet_id: wallet.id, payment_method: "pix", request_amount: 54_100, token: "USDC" }
    const quote = await postToBank("/payin-quotes", terms)
    return (await postToBank("/payins/evm", { payin_quote_id: quote.id })).id
  }
  const withdrawal = async () => {
    const customer = bank.addCustomer("ana")
    const account = await postToBank(`/customers/${customer}/bank-accounts`, {
      type: "pix",
      name: "Ana",
      pix_key: "ana@example.com"
    })
    const terms = { bank_account_id: account.id, network: "ethereum", token: "USDC", request_amount: 10_000 }
    const quote = await postToBank("/quotes", terms)
    return (await postToBank("/payouts/evm", { quote_id: quote.id, sender_wallet_address: WALLET })).id
  }
  return { bank, deposit, withdrawal, statusOf, countRequests: () => requestCount }
}

const isRejected = (promise: Promise<unknown>) =>
  promise.then(
    () => false,
    () => true
  )

describe("a deposit at the sandbox's bank", () => {
  it.each(["REVERTED", "DROPPED"] as const)(
    "books nothing if its transfer is %s, and can be paid again",
    async (kind) => {
      const fault: { current: "REVERTED" | "DROPPED" | null } = { current: kind }
      const { bank, deposit, statusOf } = bankOn(fault)
      const id = await deposit()
      assert.isTrue(await isRejected(bank.pay(id)))
      assert.isTrue(await isRejected(bank.pay(id)))
      assert.deepStrictEqual(bank.ledger, [])
      assert.strictEqual((await statusOf(id)).status, "processing")
      fault.current = null
      await bank.pay(id)
      const { status, tracking_transaction } = await statusOf(id)
      assert.deepStrictEqual([status, tracking_transaction.transaction_hash], ["completed", HASH])
      assert.deepStrictEqual(
        bank.ledger.map(({ cents, code }) => `${cents} ${code}`),
        ["54100 BRL", "-10000 USDC"]
      )
    }
  )

  it("pays the stablecoin once for two concurrent payments, and returns the second payment", async () => {
    const { bank, deposit, countRequests } = bankOn({ current: null })
    const id = await deposit()
    await Promise.all([bank.pay(id), bank.pay(id)])
    assert.strictEqual(countRequests(), 1)
    assert.deepStrictEqual(
      bank.ledger.map(({ cents, code }) => `${cents} ${code}`),
      ["54100 BRL", "-10000 USDC", "54100 BRL", "-54100 BRL"]
    )
  })
})

describe("A transfer of the sandbox's bank that a reorg has removed", () => {
  it.each(["deposit", "withdrawal"] as const)("is repeated for a %s, and booked once", async (kind) => {
    const fault: { current: "DROPPED" | null } = { current: null }
    const { bank, countRequests, ...orderFactories } = bankOn(fault)
    const id = await orderFactories[kind]()
    if (kind === "deposit") await bank.pay(id)
    const stateBefore = [...bank.ledger]
    assert.deepStrictEqual([await bank.resend(), countRequests()], [0, 1])
    fault.current = "DROPPED"
    assert.deepStrictEqual([await bank.resend(), countRequests()], [1, 2])
    fault.current = null
    assert.strictEqual(await bank.resend(), 0)
    assert.deepStrictEqual(bank.ledger, stateBefore)
  })

  it("is taken later if the reorg came before the withdrawal was booked", async () => {
    const fault: { current: "DROPPED" | null } = { current: "DROPPED" }
    const { bank, statusOf, withdrawal } = bankOn(fault)
    const id = await withdrawal()
    assert.strictEqual((await statusOf(id)).status, "processing")
    assert.deepStrictEqual(bank.ledger, [])
    fault.current = null
    assert.strictEqual(await bank.resend(), 0)
    assert.deepStrictEqual(
      bank.ledger.map(({ cents, code }) => `${cents} ${code}`),
      ["10000 USDC"]
    )
  })
})

describe("a withdrawal at the sandbox's bank", () => {
  it("stays open if its return reverts, and can be returned again", async () => {
    const fault: { current: "REVERTED" | null } = { current: null }
    const { bank, statusOf, withdrawal } = bankOn(fault)
    const id = await withdrawal()
    const countBefore = bank.ledger.length
    fault.current = "REVERTED"
    assert.isTrue(await isRejected(bank.sendBack(id)))
    assert.strictEqual((await statusOf(id)).status, "processing")
    assert.lengthOf(bank.ledger, countBefore)
    fault.current = null
    await bank.sendBack(id)
    assert.strictEqual((await statusOf(id)).status, "refunded")
  })
})

describe("the sandbox's bank after a restart", () => {
  const home = mkdtempSync(join(tmpdir(), "countersign-bank-"))
  afterAll(() => rmSync(home, { recursive: true, force: true }))

  it("keeps its orders and its ledger, and a fresh start deletes them", async () => {
    const previousBank = bankOn({ current: null }, home)
    // The orders are created concurrently.
    const [paidOrder, openOrder, sentOrder] = await Promise.all([
      previousBank.deposit(),
      previousBank.deposit(),
      previousBank.withdrawal()
    ])
    await previousBank.bank.pay(paidOrder)
    const restartedBank = bankOn({ current: null }, home)
    const statuses = await Promise.all(
      [paidOrder, openOrder, sentOrder].map(async (id) => (await restartedBank.statusOf(id)).status)
    )
    assert.deepStrictEqual(statuses, ["completed", "processing", "processing"])
    assert.deepStrictEqual(restartedBank.bank.ledger, previousBank.bank.ledger)
    await restartedBank.bank.pay(openOrder)
    await restartedBank.bank.sendBack(sentOrder)
    const lastBank = bankOn({ current: null }, home)
    const finalStatuses = await Promise.all(
      [openOrder, sentOrder].map(async (id) => (await lastBank.statusOf(id)).status)
    )
    assert.deepStrictEqual(finalStatuses, ["completed", "refunded"])
    await lastBank.bank.clear()
    assert.strictEqual(bankOn({ current: null }, home).bank.orderCount, 0)
  })
})
