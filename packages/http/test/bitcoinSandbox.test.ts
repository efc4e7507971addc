import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { SandboxBitcoin } from "../../adapters/sandbox/bitcoin/SandboxBitcoin.ts"
import { SandboxClock } from "../../adapters/sandbox/network/SandboxClock.ts"
import { type BitcoinOwner, registeredOwner, signedBy } from "./support/bitcoinOwner.ts"
import { startTestService, type TestService } from "./support/testService.ts"

/** Payments on a chain that verifies every signature, from their quote to the block that stays. */

const NEVER_MS = 2_000_000_000
const COIN = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
const RECEIVER = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"
const PAYMENTS_OF_EACH = 3

const home = mkdtempSync(join(tmpdir(), "countersign-bitcoin-"))
const bitcoin = new SandboxBitcoin(home, new SandboxClock(home), NEVER_MS)
let service: TestService

beforeAll(async () => {
  service = await startTestService({ bitcoin: { esploraUrls: [await bitcoin.ownUrl()] } })
}, 60_000)
afterAll(async () => {
  await service.stop()
  await bitcoin.close()
  rmSync(home, { recursive: true, force: true })
})

const owner = (place: number): Promise<BitcoinOwner> => {
  const { privateKey } = bitcoin.wallets[place]!
  return registeredOwner(service, new Uint8Array(Buffer.from(privateKey.slice(2), "hex")), place)
}

const quoted = async (from: BitcoinOwner, changes: object = {}) => {
  const { body, status } = await service.request("POST", "/api/v1/crypto/transfer", {
    walletAddress: from.address,
    chainId: 0,
    token: COIN,
    amount: "0.1",
    toAddress: RECEIVER,
    gasFeePaymentMethod: "ADD_TO_AMOUNT",
    payGasFeeToken: COIN,
    feeRate: 3,
    ...changes
  })
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body.transfer
}

const publish = async (from: BitcoinOwner, { quoteId, signData }: Awaited<ReturnType<typeof quoted>>) => {
  const signedTransactionHex = signedBy(from, signData[0].psbt)
  const { body, status } = await service.request("POST", "/api/v1/crypto/bitcoin/broadcast", {
    quoteId,
    signedTransactionHex
  })
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body.transactionHash as string
}

const transactionOf = async (from: BitcoinOwner, isIt: (transaction: Record<string, unknown>) => boolean) => {
  for (let look = 0; look < 100; look++) {
    const { body } = await service.request("GET", `/api/v1/wallets/${from.address}/history?take=20`)
    const found = body.transactions.find(isIt)
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error("No such transaction came")
}

const hasHash =
  (hash: string) =>
  ({ transactionHash }: Record<string, unknown>): boolean =>
    (transactionHash as { readonly hash: string | null }).hash === hash

describe("payments on a chain with rules", () => {
  it.each([0, 1, 2, 3])("are taken, mined and completed, also out of change that waits: kind %i", async (place) => {
    const from = await owner(place)
    const hashes: Array<string> = []
    for (let i = 0; i < PAYMENTS_OF_EACH; i++) {
      hashes.push(await publish(from, await quoted(from, { spendUnconfirmedChange: true, amount: "0.4" })))
    }
    for (const hash of hashes) await transactionOf(from, hasHash(hash))
    await bitcoin.control({ mine: 6 })
    await service.advanceClock(30)
    for (const hash of hashes) {
      await transactionOf(from, (one) => hasHash(hash)(one) && one.status === "COMPLETED")
    }
  })

  it("are replaced, taken back by a reorganisation, and mined again", async () => {
    const from = await owner(3).catch(async () => {
      const { privateKey, address } = bitcoin.wallets[3]!
      return { address, kind: "P2TR" as const, key: new Uint8Array(Buffer.from(privateKey.slice(2), "hex")) }
    })
    const first = await publish(from, await quoted(from, { amount: "0.01" }))
    const { id } = await transactionOf(from, hasHash(first))
    const bump = await service.request("POST", `/api/v1/crypto/bitcoin/${id}/bump`, { feeRate: 9 })
    assert.strictEqual(bump.status, 200, JSON.stringify(bump.body))
    const second = await publish(from, bump.body.transfer)
    await transactionOf(from, hasHash(second))
    await bitcoin.control({ mine: 2 })
    await service.advanceClock(30)
    await transactionOf(from, (one) => hasHash(second)(one) && one.substatus === "INCLUDED")
    await bitcoin.control({ reorganise: 2 })
    await service.advanceClock(30)
    await bitcoin.control({ mine: 8 })
    await service.advanceClock(30)
    await transactionOf(from, (one) => hasHash(second)(one) && one.status === "COMPLETED")
    await transactionOf(from, (one) => one.id === id && one.status === "CANCELLED")
  })
})
