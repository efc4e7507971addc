/**
 * From a person to a bank account: a person is verified, buys USDC by PIX, and sells it again. Only the owner signs.
 *
 * It runs against `npm start`. COUNTERSIGN_URL, COUNTERSIGN_API_KEY and COUNTERSIGN_HOME select another sandbox. There,
 * a reviewer's decision and a bank's payments are requests to the sandbox's gateway.
 */
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { createClient } from "@countersign/http/client"
import { privateKeyToAccount } from "viem/accounts"

const home = process.env.COUNTERSIGN_HOME ?? join(homedir(), ".countersign")
const sandbox = JSON.parse(readFileSync(process.env.SANDBOX_FILE ?? join(home, "sandbox.json"), "utf8"))
const [{ walletAddress }] = sandbox.wallets
const owner = privateKeyToAccount(sandbox.owners[0].privateKey)

const client = createClient({
  url: process.env.COUNTERSIGN_URL ?? sandbox.baseUrl,
  apiKey: process.env.COUNTERSIGN_API_KEY ?? sandbox.apiKey
})

/** Performs an action of a reviewer or a bank in the sandbox. */
const atSandbox = async (path: string, body: object) => {
  const response = await fetch(`${sandbox.gatewayUrl}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body)
  })
  assert.equal(response.status, 200, await response.text())
}

const orderIn = async (orderId: string, status: string) => {
  for (;;) {
    const order = await client.fiat.order(orderId)
    if (order.status === status) return order
    assert.ok(
      !["FAILED", "EXPIRED", "RETURNED", "IN_REVIEW"].includes(order.status),
      `${order.status}: ${order.reason}`
    )
    await sleep(200)
  }
}

const verification = await client.kyc.startIndividual({
  firstName: "Ana",
  lastName: "Souza",
  documentCategory: "PASSPORT",
  documentCountry: "BRAZIL",
  // Taken from the time, so that a run verifies another person than the previous one.
  documentId: `AB${Date.now() % 1_000_000}`,
  birthDate: "1990-12-31",
  nationality: "BRAZILIAN",
  country: "BRAZIL",
  address: "Rua 1",
  city: "Curitiba",
  state: "PR",
  postalCode: "80010-000"
})
const page = new Blob(["%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n"], {
  type: "application/pdf"
})
for (const descriptor of [
  verification.frontDocumentUpload,
  verification.backDocumentUpload,
  verification.proofOfAddressDocumentUpload
]) {
  await client.kyc.upload(descriptor, page)
}
const { id: sessionId, individualId } = verification.session
await client.kyc.processIndividual(sessionId)
await atSandbox("/identity/decide", { sessionId, decision: "approve" })
const { session } = await client.kyc.individual(sessionId)
assert.equal(session.status, "COMPLETED")
const providers = session.fiatRegistrations.map(({ provider }) => provider).join(" and ")
console.log(`${session.firstName} is verified, and a customer of ${providers}.`)

const deposit = await client.fiat.quoteDeposit({
  paymentMethod: { type: "PIX" },
  from: { currency: "BRL", amount: "541.00" },
  to: { currency: "USDC" },
  chainId: 1,
  walletAddress,
  individualId
})
const incoming = await client.fiat.deposit({ quoteId: deposit.quoteId })
await atSandbox("/bank/pay", { orderId: incoming.id })
const depositOrder = await orderIn(incoming.id, "COMPLETED")
console.log(`541 BRL for ${depositOrder.to.amount} USDC.`)

const withdrawal = await client.fiat.quoteWithdrawal({
  paymentMethod: { type: "PIX" },
  from: { currency: "USDC", amount: "50" },
  to: { currency: "BRL" },
  chainId: 1,
  walletAddress,
  individualId
})
const outgoing = await client.fiat.withdraw({
  quoteId: withdrawal.quoteId,
  paymentMethod: { type: "PIX", pixKey: "529.982.247-25" }
})
const signatures: Record<string, string> = {}
for (const element of outgoing.signData) {
  signatures[element.hash] =
    element.method === "eth_signTypedData_v4"
      ? await owner.signTypedData(element.typedData as never)
      : await owner.signMessage({ message: { raw: element.hash as `0x${string}` } })
}
await client.execute({ quoteId: outgoing.withdrawalInstructions.userOperationHash, signatures })
await orderIn(outgoing.id, "PROCESSING")
await atSandbox("/bank/pay", { orderId: outgoing.id })
const withdrawalOrder = await orderIn(outgoing.id, "COMPLETED")
console.log(`50 USDC for ${withdrawalOrder.to.amount} BRL.`)
