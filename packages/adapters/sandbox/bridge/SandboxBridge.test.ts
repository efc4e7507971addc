import { assert, describe, it } from "@effect/vitest"
import { type BridgeChains, SandboxBridge } from "./index.ts"

const HASH = `0x${"9b".repeat(32)}`
const CUSTOMER = "cust_1"
const WALLET = `0x${"0a".repeat(20)}`

const withdrawal = {
  on_behalf_of: CUSTOMER,
  client_reference_id: "order-1",
  amount: "10.00",
  source: { payment_rail: "base", currency: "usdc", from_address: WALLET }
}

const bridgeOn = (chains: Partial<BridgeChains> = {}) => {
  const bridge = new SandboxBridge(
    { give: async () => HASH, received: async () => HASH, ...chains },
    { asksForAll: false }
  )
  bridge.customers.add(CUSTOMER)
  const { id: account } = bridge.customers.addAccount(CUSTOMER, {
    account_type: "pix",
    currency: "brl",
    account_owner_name: "Ada",
    pix_key: "ada@example.com"
  })
  const destination = { payment_rail: "pix", currency: "brl", external_account_id: account }
  const openOrder = (idempotencyKey: string) =>
    bridge.respond({
      method: "POST",
      path: "/transfers",
      body: JSON.stringify({ ...withdrawal, destination }),
      idempotencyKey
    })
  const show = (id: string) =>
    bridge.respond({ method: "GET", path: `/transfers/${id}`, body: "", idempotencyKey: null })
  return { bridge, open: openOrder, show }
}

describe("The sandbox's Bridge", () => {
  it("creates one transfer for concurrent requests with the same key", async () => {
    const { bridge, open } = bridgeOn()
    const [first, second] = await Promise.all([open("key"), open("key")])
    assert.deepStrictEqual(first, second)
    assert.strictEqual(bridge.transfers.size, 1)
  })

  it("pays out a withdrawal once, also if it is read concurrently", async () => {
    let resolveFirstRead: (hash: string) => void = () => {}
    const slowResponse = new Promise<string>((resolve) => {
      resolveFirstRead = resolve
    })
    let lookups = 0
    const { bridge, open, show } = bridgeOn({
      received: () => (lookups++ === 0 ? slowResponse : Promise.resolve(HASH))
    })
    await open("key")
    const [id] = bridge.transfers.keys()
    const showPromise = show(id!)
    await bridge.pay(id!, 0n)
    resolveFirstRead(HASH)
    await showPromise
    assert.strictEqual(bridge.transferOf(id!).state, "payment_processed")
    const repeatedPayment = await bridge.pay(id!, 0n).catch((error: Error) => error.message)
    assert.strictEqual(repeatedPayment, "the transfer is payment_processed")
    assert.lengthOf(
      bridge.ledger.filter(({ currency }) => currency === "brl"),
      1
    )
  })
})
