import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { waitUntil } from "../../../core/test/support/until.ts"
import { registerOneOfEachKind, swapOf, type TestWallet } from "../support/accounts.ts"
import { askChain } from "../support/askChain.ts"
import { startTestService, type TestService } from "../support/testService.ts"
import { startWebhookReceiver, verifyDelivery, type WebhookReceiver } from "../support/webhookReceiver.ts"

/** Tests reorgs that remove blocks with operations. */

const REORG_DEPTH = 6
const FINALITY = 8

let service: TestService
let receiver: WebhookReceiver
let secret: string
let wallets: ReadonlyArray<TestWallet>

beforeAll(async () => {
  service = await startTestService({ finality: () => ({ blocks: FINALITY, pollEveryMs: 100 }) })
  receiver = await startWebhookReceiver()
  const webhook = { url: receiver.url("/events"), eventTypes: ["transaction.*"] }
  secret = (await service.request("POST", "/api/v1/webhooks", webhook)).body.secret
  wallets = await registerOneOfEachKind(service)
  await mineBlocks(REORG_DEPTH)
})
afterAll(async () => {
  receiver.stop()
  await service.stop()
})

const callRpc = (method: string, ...params: ReadonlyArray<unknown>) =>
  askChain(service.chains.rpcUrl(1), method, ...params)

const mineBlocks = (blocks: number) => callRpc("anvil_mine", `0x${blocks.toString(16)}`)

const executeSwap = async (wallet: TestWallet): Promise<string> => {
  const quoteResponse = await service.request("POST", "/api/v1/crypto/swap", swapOf(wallet, { slippage: 10 }))
  assert.strictEqual(quoteResponse.status, 200, JSON.stringify(quoteResponse.body))
  const [{ signData, userOperationHash }] = quoteResponse.body.quotes
  const { body, status } = await service.request("POST", "/api/v1/crypto/execute-user-op", {
    userOperationHash,
    ...(await service.signatures(wallet.privateKey, signData))
  })
  assert.strictEqual(status, 200, JSON.stringify(body))
  return userOperationHash
}

const transactionOf = async (wallet: TestWallet, hash: string) => {
  const path = `/api/v1/wallets/${wallet.address}/history?userOperationHash=${hash}`
  return (await service.request("GET", path)).body.transactions[0]
}

/** Waits until `count` webhook events of a transaction have arrived. Verifies their signatures. */
const waitForEvents = async (transactionId: string, count: number) => {
  const receivedEvents = await waitUntil(
    async () => receiver.at("/events").filter(({ event }) => event.data.id === transactionId),
    ({ length }) => length >= count
  )
  for (const receivedEvent of receivedEvents) verifyDelivery(secret, receivedEvent)
  return receivedEvents.map(({ event }) => event)
}

const isOnChain = async (transactionHash: string): Promise<boolean> =>
  (await callRpc("eth_getTransactionReceipt", transactionHash)) !== null

describe(`a reorg of ${REORG_DEPTH} blocks`, () => {
  it.each([0, 1, 2, 3])("removes the operation of account type %i, which is included again", async (walletIndex) => {
    const wallet = wallets[walletIndex]!
    const hash = await executeSwap(wallet)
    const previousTransaction = await service.settled(wallet.address, hash)
    assert.strictEqual(previousTransaction.status, "COMPLETED", JSON.stringify(previousTransaction.failure))
    await mineBlocks(REORG_DEPTH - 1)
    const { blockHash, blockNumber } = await callRpc(
      "eth_getTransactionReceipt",
      previousTransaction.transactionHash.hash
    )
    await callRpc("anvil_reorg", REORG_DEPTH, [])
    // The first block is no longer in the chain. Another block may already contain the operation.
    assert.notStrictEqual((await callRpc("eth_getBlockByNumber", blockNumber, false)).hash, blockHash)

    await waitUntil(
      () => transactionOf(wallet, hash),
      ({ substatus, updatedAt }) => substatus === "REORGED" || updatedAt !== previousTransaction.updatedAt
    )
    const repeatedTransaction = await service.settled(wallet.address, hash)
    assert.strictEqual(repeatedTransaction.status, "COMPLETED", JSON.stringify(repeatedTransaction.failure))
    assert.strictEqual(repeatedTransaction.id, previousTransaction.id)
    assert.isTrue(await isOnChain(repeatedTransaction.transactionHash.hash))

    const events = await waitForEvents(previousTransaction.id, 4)
    assert.deepStrictEqual(
      events.map(({ data, type }) => [type, data.sequence, data.previousStatus, data.status, data.substatus]),
      [
        ["transaction.created", 1, null, "PROCESSING", "SUBMITTED"],
        ["transaction.completed", 2, "PROCESSING", "COMPLETED", "INCLUDED"],
        ["transaction.reorged", 3, "COMPLETED", "PROCESSING", "REORGED"],
        ["transaction.completed", 4, "PROCESSING", "COMPLETED", "INCLUDED"]
      ]
    )
    assert.deepStrictEqual(
      events.map(({ data }) => data.transactionHash?.hash ?? null),
      [null, previousTransaction.transactionHash.hash, null, repeatedTransaction.transactionHash.hash]
    )
    assert.strictEqual(events[2].timestamp, events[2].data.updatedAt)
    await mineBlocks(FINALITY)
  })
})
