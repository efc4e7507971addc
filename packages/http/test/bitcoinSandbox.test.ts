import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { BitcoinWatch } from "@countersign/core/bitcoin/activity"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { parseUnits } from "viem"
import { SandboxBitcoin } from "../../adapters/sandbox/bitcoin/SandboxBitcoin.ts"
import { SandboxClock } from "../../adapters/sandbox/network/SandboxClock.ts"
import { waitUntil } from "../../core/test/support/until.ts"
import { verifyBitcoinReplacement } from "../src/verify/bitcoin/index.ts"
import { type BitcoinOwner, registerOwner, signAndFinalize } from "./support/bitcoinOwner.ts"
import { assertProblems, assertRefusal } from "./support/refusals.ts"
import { startTestService, type TestService } from "./support/testService.ts"

/** Tests payments from the quote to the final block, on a chain that verifies all signatures. */

const NEVER_MS = 2_000_000_000
const NATIVE_TOKEN = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
const RECEIVER = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"
const PAYMENTS_PER_OWNER = 3

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

const registerWalletOwner = (walletIndex: number): Promise<BitcoinOwner> => {
  const { privateKey } = bitcoin.wallets[walletIndex]!
  return registerOwner(service, new Uint8Array(Buffer.from(privateKey.slice(2), "hex")), walletIndex)
}

const requestQuote = async (from: BitcoinOwner, changes: object = {}) => {
  const { body, status } = await service.request("POST", "/api/v1/crypto/transfer", {
    walletAddress: from.address,
    chainId: 0,
    token: NATIVE_TOKEN,
    amount: "0.1",
    toAddress: RECEIVER,
    gasFeePaymentMethod: "ADD_TO_AMOUNT",
    payGasFeeToken: NATIVE_TOKEN,
    feeRate: 3,
    ...changes
  })
  assert.strictEqual(status, 200, JSON.stringify(body))
  assert.isNotNull(body.transfer.estimatedGasFees.gasFeeTokenAmountUSD)
  return body.transfer
}

const signAndBroadcast = async (
  from: BitcoinOwner,
  { quoteId, signData }: Awaited<ReturnType<typeof requestQuote>>
) => {
  const signedTransactionHex = signAndFinalize(from, signData[0].psbt)
  const { body, status } = await service.request("POST", "/api/v1/crypto/bitcoin/broadcast", {
    quoteId,
    signedTransactionHex
  })
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body.transactionHash as string
}

const waitForTransaction = async (from: BitcoinOwner, isWanted: (transaction: Record<string, unknown>) => boolean) => {
  const { transactions } = await waitUntil(
    async () => (await service.request("GET", `/api/v1/wallets/${from.address}/history?take=20`)).body,
    (body) => body.transactions.some(isWanted)
  )
  return transactions.find(isWanted)
}

const hasHash =
  (hash: string) =>
  ({ transactionHash }: Record<string, unknown>): boolean =>
    (transactionHash as { readonly hash: string } | null)?.hash === hash

describe("payments on a chain that verifies signatures", () => {
  it.each([0, 1, 2, 3])(
    "are accepted, mined and completed, also from unconfirmed change: address type %i",
    async (walletIndex) => {
      const from = await registerWalletOwner(walletIndex)
      const hashes: Array<string> = []
      for (let i = 0; i < PAYMENTS_PER_OWNER; i++) {
        hashes.push(
          await signAndBroadcast(from, await requestQuote(from, { spendUnconfirmedChange: true, amount: "0.4" }))
        )
      }
      for (const hash of hashes) await waitForTransaction(from, hasHash(hash))
      await bitcoin.control({ mine: 6 })
      await service.advanceClock(30)
      for (const hash of hashes) {
        await waitForTransaction(from, (one) => hasHash(hash)(one) && one.status === "COMPLETED")
      }
    }
  )

  it("are replaced, removed by a reorg, and mined again", async () => {
    const from = await registerWalletOwner(3).catch(async () => {
      const { privateKey, address } = bitcoin.wallets[3]!
      return { address, kind: "P2TR" as const, key: new Uint8Array(Buffer.from(privateKey.slice(2), "hex")) }
    })
    const firstHash = await signAndBroadcast(from, await requestQuote(from, { amount: "0.01" }))
    const { id } = await waitForTransaction(from, hasHash(firstHash))
    const bumpResponse = await service.request("POST", `/api/v1/crypto/bitcoin/${id}/bump`, { feeRate: 9 })
    assert.strictEqual(bumpResponse.status, 200, JSON.stringify(bumpResponse.body))
    const secondHash = await signAndBroadcast(from, bumpResponse.body.transfer)
    await waitForTransaction(from, hasHash(secondHash))
    await bitcoin.control({ mine: 2 })
    await service.advanceClock(30)
    await waitForTransaction(from, (one) => hasHash(secondHash)(one) && one.substatus === "INCLUDED")
    await bitcoin.control({ reorg: 2 })
    await service.advanceClock(30)
    await bitcoin.control({ mine: 8 })
    await service.advanceClock(30)
    await waitForTransaction(from, (one) => hasHash(secondHash)(one) && one.status === "COMPLETED")
    await waitForTransaction(from, (one) => one.id === id && one.status === "CANCELLED")
  })
})

/** Runs the chain watcher until no address is due for a check. */
const runWatcher = async () => {
  await service.advanceClock(61)
  while (await service.run(BitcoinWatch.use(({ watchDue }) => watchDue)));
}

const transactionsOf = async (address: string, hash: string) => {
  const { body } = await service.request("GET", `/api/v1/wallets/${address}/history?take=100`)
  return body.transactions.filter(hasHash(hash))
}

const singleTransactionOf = async (address: string, hash: string) => {
  const transactions = await transactionsOf(address, hash)
  assert.lengthOf(transactions, 1, `${hash} in the history of ${address}`)
  return transactions[0]
}

/** Pays satoshis from an unregistered address. */
const payTo = async (address: string, satoshis: number) => {
  const { txid } = await bitcoin.control({ address, satoshis })
  return `0x${txid!.replace(/^0x/u, "")}`
}

const ownerOf = (walletIndex: number): BitcoinOwner => {
  const { address, kind, privateKey } = bitcoin.wallets[walletIndex]!
  return { address, kind, key: new Uint8Array(Buffer.from(privateKey.slice(2), "hex")) } as BitcoinOwner
}

describe("an external transfer", () => {
  it("is a deposit from the mempool on, and completes with its confirmations", async () => {
    const { address } = ownerOf(2)
    // The first polls read the existing histories, page by page.
    for (let page = 0; page < 4; page++) await runWatcher()
    const hash = await payTo(address, 123_456)
    await runWatcher()
    const waitingTransaction = await singleTransactionOf(address, hash)
    assert.deepInclude(waitingTransaction, { type: "CRYPTO_DEPOSIT", status: "PROCESSING", substatus: "BROADCAST" })
    await bitcoin.control({ mine: 1 })
    await runWatcher()
    const includedTransaction = await singleTransactionOf(address, hash)
    assert.deepInclude(includedTransaction, { id: waitingTransaction.id, status: "PROCESSING", substatus: "INCLUDED" })
    assert.strictEqual(includedTransaction.legs[0].confirmations, 1)
    await bitcoin.control({ mine: 5 })
    await runWatcher()
    const finalTransaction = await singleTransactionOf(address, hash)
    assert.deepInclude(finalTransaction, { id: waitingTransaction.id, status: "COMPLETED" })
    assert.lengthOf(finalTransaction.movements, 1)
    assert.deepInclude(finalTransaction.movements[0], { direction: "IN", role: "PRINCIPAL" })
  })

  it("is pending again after a reorg, and is included again with another block", async () => {
    const { address } = ownerOf(1)
    const hash = await payTo(address, 222_222)
    await bitcoin.control({ mine: 1 })
    await runWatcher()
    const { id } = await singleTransactionOf(address, hash)
    await bitcoin.control({ reorg: 2 })
    await runWatcher()
    assert.deepInclude(await singleTransactionOf(address, hash), { id, status: "PROCESSING" })
    assert.strictEqual((await singleTransactionOf(address, hash)).legs[0].confirmations, 0)
    await bitcoin.control({ mine: 9 })
    await runWatcher()
    await runWatcher()
    assert.deepInclude(await singleTransactionOf(address, hash), { id, status: "COMPLETED" })
  })

  it("is not recorded again for the payer who used the service, and is recorded for the receiver", async () => {
    const [payer, payee] = [ownerOf(3), ownerOf(0)]
    const hash = await signAndBroadcast(payer, await requestQuote(payer, { amount: "0.02", toAddress: payee.address }))
    await waitForTransaction(payer, hasHash(hash))
    await runWatcher()
    assert.strictEqual((await singleTransactionOf(payer.address, hash)).type, "TRANSFER")
    assert.deepInclude(await singleTransactionOf(payee.address, hash), { type: "CRYPTO_DEPOSIT", status: "PROCESSING" })
    await bitcoin.control({ mine: 7 })
    await runWatcher()
    await runWatcher()
    assert.strictEqual((await singleTransactionOf(payee.address, hash)).status, "COMPLETED")
    await waitForTransaction(payer, (one) => hasHash(hash)(one) && one.status === "COMPLETED")
    await singleTransactionOf(payer.address, hash)
  })

  it("can be sped up by its receiver, who spends it with a fee for both", async () => {
    const [payer, payee] = [ownerOf(3), ownerOf(2)]
    const slowQuote = await requestQuote(payer, { amount: "0.01", toAddress: payee.address, feeRate: 1 })
    assert.match(slowQuote.warnings.join(), /do not send real bitcoins to them/u)
    const hash = await signAndBroadcast(payer, slowQuote)
    await runWatcher()
    const { id } = await singleTransactionOf(payee.address, hash)
    const path = `/api/v1/crypto/bitcoin/${id}`
    assertProblems(await service.request("POST", `${path}/cancel`, {}), [
      "path.transactionId",
      /Only the sender of an incoming payment can cancel it/u
    ])
    const { body, status } = await service.request("POST", `${path}/bump`, { feeRate: 30 })
    assert.strictEqual(status, 200, JSON.stringify(body))
    const { bitcoin: preview, expiresAt, replaces } = body.transfer
    assert.deepStrictEqual(replaces, { kind: "CHILD", transactionId: id })
    const verification = verifyBitcoinReplacement({
      request: { kind: "CHILD", walletAddress: payee.address, transactionHash: hash },
      quote: body.transfer,
      trust: { now: Date.parse(expiresAt) / 1_000 - 30 }
    })
    assert.deepStrictEqual(verification.ok ? [] : verification.problems, [])
    const childHash = await signAndBroadcast(payee, body.transfer)
    const fees = Number(preview.fee) + Number(slowQuote.bitcoin.fee)
    const parent = JSON.parse((await bitcoin.forward("GET", `/tx/${hash.slice(2)}`, "")).body)
    assert.isAtLeast(Math.round(fees * 1e8), 30 * (preview.virtualSize + Math.ceil(parent.weight / 4)))
    assertProblems(await service.request("POST", `${path}/bump`, { feeRate: 50 }), [
      "path.transactionId",
      /Another transaction of the wallet already spends the deposit's outputs/u
    ])
    await bitcoin.control({ mine: 7 })
    await runWatcher()
    await runWatcher()
    const childTransaction = await waitForTransaction(
      payee,
      (one) => hasHash(childHash)(one) && one.status === "COMPLETED"
    )
    assert.deepStrictEqual(childTransaction.bitcoin, {
      replaces: { kind: "CHILD", transactionId: id },
      replacedBy: null
    })
    assert.strictEqual((await singleTransactionOf(payee.address, hash)).status, "COMPLETED")
    assertRefusal(
      await service.request("POST", `${path}/bump`, {}),
      409,
      "TRANSACTION_IN_BLOCK",
      /is already in block \d+/u
    )
  })

  it("is a withdrawal if the owner sent a transaction that the service never accepted", async () => {
    const from = ownerOf(2)
    const { signData } = await requestQuote(from, { amount: "0.03" })
    const signedTransaction = signAndFinalize(from, signData[0].psbt)
    const sendResponse = await fetch(`${await bitcoin.ownUrl()}/tx`, {
      method: "POST",
      body: signedTransaction.replace(/^0x/u, "")
    })
    const hash = `0x${await sendResponse.text()}`
    await runWatcher()
    // The payment is not in the history yet, because the client may still submit the quote until it expires.
    assert.isEmpty(await transactionsOf(from.address, hash))
    await service.advanceClock(200)
    await bitcoin.control({ mine: 6 })
    await runWatcher()
    await runWatcher()
    const finalTransaction = await singleTransactionOf(from.address, hash)
    assert.deepInclude(finalTransaction, { type: "CRYPTO_WITHDRAW", status: "COMPLETED" })
    assert.deepStrictEqual(
      finalTransaction.movements.map(({ direction, role }: Record<string, unknown>) => [direction, role]),
      [
        ["OUT", "PRINCIPAL"],
        ["OUT", "GAS"]
      ]
    )
  })

  it("is part of the wallet's profit, chart and tax exports", async () => {
    const { address } = ownerOf(2)
    const portfolioPath = `/api/v1/wallets/${address}/portfolio`
    const { body: portfolioBody } = await service.request("GET", `${portfolioPath}?includePnL=true&timerange=all`)
    const [btcHolding] = portfolioBody.portfolio
    assert.deepInclude(btcHolding.chain, { id: 0 })
    const { body: chart } = await service.request("GET", `${portfolioPath}/chart?timerange=1d`)
    assert.deepStrictEqual([chart.leftOut, chart.unread], [[], []])
    assert.strictEqual(chart.points.at(-1).valueUsd, btcHolding.balanceUsd)
    const { body } = await service.request("GET", `/api/v1/wallets/${address}/history?take=100`)
    const movements: ReadonlyArray<Record<string, string>> = body.transactions.flatMap(
      (transaction: { readonly movements: ReadonlyArray<Record<string, string>> }) => transaction.movements
    )
    assert.isEmpty(movements.filter(({ valueUsd }) => valueUsd === null))
    const balanceChange = movements.reduce(
      (sum, { amount, direction }) => sum + (direction === "IN" ? 1n : -1n) * parseUnits(amount!, 8),
      0n
    )
    assert.strictEqual(balanceChange, BigInt(btcHolding.balance))
    assert.isNotNull(btcHolding.pnl)
  })

  it("is detected even if it happened before the registration", async () => {
    const { body } = await service.request("GET", `/api/v1/wallets/${ownerOf(0).address}/history?take=100`)
    const deposits = body.transactions.filter(({ type }: Record<string, unknown>) => type === "CRYPTO_DEPOSIT")
    assert.isAtLeast(deposits.length, 2)
    assert.isTrue(deposits.every(({ status }: Record<string, unknown>) => status === "COMPLETED"))
  })
})
