import { randomBytes } from "node:crypto"
import { ActivityStore, ActivityWatch } from "@countersign/core/wallets/chain-activity"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { encodeFunctionData, erc20Abi, type Hex, numberToHex, pad, parseAbi, parseEther } from "viem"
import { waitUntil, waitUntilTrue } from "../../core/test/support/until.ts"
import { NATIVE, registerOneOfEachKind, swapOf, type TestWallet, USDC, WETH } from "./support/accounts.ts"
import { askChain } from "./support/askChain.ts"
import { compareExport } from "./support/taxTieOut.ts"
import { startTestService, type TestService } from "./support/testService.ts"

/**
 * Tests transfers that no operation of the service made, on real contracts. They must be in the wallet's history after
 * their inclusion.
 */

const MULTICALL = "0xca11bde05977b3631167028862be2a173976ca11"
const multicallAbi = parseAbi([
  "struct Call { address target; bool allowFailure; uint256 value; bytes callData; }",
  "function aggregate3Value(Call[] calls) payable"
])
const TRANSFER = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
/** Code of a contract that emits any `Transfer` event on request. The calldata is three words: from, to and amount. */
const LIAR_CODE: Hex = `0x6040356000526020356000357f${TRANSFER}60206000a300`
const FINALITY = 4

let service: TestService
let wallets: ReadonlyArray<TestWallet>

beforeAll(async () => {
  service = await startTestService({ finality: () => ({ blocks: FINALITY, pollEveryMs: 20 }) })
  wallets = await registerOneOfEachKind(service)
  await runWatcher()
})
afterAll(() => service.stop())

const callRpc = (method: string, ...params: ReadonlyArray<unknown>) =>
  askChain(service.chains.rpcUrl(1), method, ...params)
const headNumber = async () => Number(await callRpc("eth_blockNumber"))
const mineBlocks = (blocks: number) => callRpc("anvil_mine", numberToHex(blocks))

const walletOf = (kind: string) => wallets.find(({ name }) => name === kind)!
const anAddress = (): Hex => `0x${randomBytes(20).toString("hex")}`

interface TransactionFields {
  readonly data?: Hex
  readonly value?: bigint
}

/** Sends a transaction from any account, without waiting for a block. */
const submit = async (from: string, to: string, { data, value = 0n }: TransactionFields): Promise<string> => {
  await callRpc("anvil_impersonateAccount", from)
  const gas = numberToHex(1_000_000)
  return callRpc("eth_sendTransaction", { from, to, value: numberToHex(value), gas, ...(data ? { data } : {}) })
}

/** Sends a transaction, and waits for its block. */
const sendAndWait = async (from: string, to: string, fields: TransactionFields) => {
  const hash = await submit(from, to, fields)
  await waitUntilTrue(async () => (await callRpc("eth_getTransactionReceipt", hash)) !== null, { pollMs: 5 })
  return hash
}

const createPayer = async () => {
  const payer = anAddress()
  await callRpc("anvil_setBalance", payer, numberToHex(parseEther("100")))
  return payer
}

const transferData = (to: string, amount: bigint) =>
  encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to as Hex, amount] })

/** Sends native tokens from a contract in an internal call. */
const sendInside = (from: string, to: string, value: bigint) => {
  const args = [[{ target: to as Hex, allowFailure: false, value, callData: "0x" }]] as const
  return sendAndWait(from, MULTICALL, { value, data: encodeFunctionData({ abi: multicallAbi, args }) })
}

const transferEvent = (from: string, to: string, amount: bigint): Hex =>
  `0x${[from as Hex, to as Hex, numberToHex(amount)].map((word) => pad(word, { size: 32 }).slice(2)).join("")}`

const deploySpoofingToken = async () => {
  const token = anAddress()
  await callRpc("anvil_setCode", token, LIAR_CODE)
  return token
}

const readState = Effect.gen(function* () {
  const store = yield* ActivityStore
  const [chain] = yield* store.listChains
  return {
    last: chain?.progress?.last ?? null,
    waiting: yield* store.nextDueAt(1),
    backfills: (yield* store.listBackfills(1, 1)).length
  }
})

/**
 * Runs the chain watcher until it has read all blocks and backfills and, unless `isWaitingAllowed`, no detected
 * transfer is waiting.
 */
const runWatcher = async (isWaitingAllowed = false): Promise<void> => {
  await waitUntil(
    async () => {
      const head = await headNumber()
      const { hash } = await callRpc("eth_getBlockByNumber", numberToHex(head), false)
      await service.run(ActivityWatch.use(({ watchDue }) => watchDue))
      return { hash, head, ...(await service.run(readState)) }
    },
    ({ backfills, hash, last, waiting }) =>
      last?.hash === hash && backfills === 0 && (isWaitingAllowed || waiting === null)
  )
}

const listHistory = async (wallet: Pick<TestWallet, "address">, query = "", apiKey = service.apiKey) => {
  const path = `/api/v1/wallets/${wallet.address}/history?${query}`
  const { body, status } = await service.request("GET", path, undefined, { "x-api-key": apiKey })
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body.transactions
}

const findTransactions = (wallet: Pick<TestWallet, "address">, hash: string, query = "", apiKey = service.apiKey) =>
  listHistory(wallet, `transactionHash=${hash}&${query}`, apiKey)

/** The fields of a transaction that the tests compare. */
// biome-ignore lint/suspicious/noExplicitAny: the tests read bodies as a client without generated types does.
const summaryOf = (transaction: any) => {
  const { receivedAmount, receivedFromAddress, sentAmount, sentTo, status, type } = transaction
  const movedAmount = type === "CRYPTO_DEPOSIT" ? receivedAmount : sentAmount
  const otherAddressField = type === "CRYPTO_DEPOSIT" ? receivedFromAddress : sentTo
  return [type, status, movedAmount?.token?.address ?? null, movedAmount?.amount ?? null, otherAddressField]
}

const execute = async (wallet: TestWallet, body: { readonly path: string; readonly request: unknown }) => {
  const response = await service.request("POST", body.path, body.request)
  assert.strictEqual(response.status, 200, JSON.stringify(response.body))
  const quote = response.body.transfer ?? response.body.quotes[0]
  const execution = await service.request("POST", "/api/v1/crypto/execute-user-op", {
    userOperationHash: quote.userOperationHash,
    ...(await service.signatures(wallet.privateKey, quote.signData))
  })
  assert.strictEqual(execution.status, 200, JSON.stringify(execution.body))
  return quote.userOperationHash as string
}

const transferOf = (wallet: TestWallet, toAddress: string) => ({
  path: "/api/v1/crypto/transfer",
  request: {
    walletAddress: wallet.address,
    chainId: 1,
    token: USDC,
    amount: "25.5",
    toAddress,
    gasFeePaymentMethod: "ADD_TO_AMOUNT",
    payGasFeeToken: USDC
  }
})

describe("a deposit", () => {
  it("of a token is in the history, with its value, and is reported once it is there", async () => {
    const wallet = walletOf("Safe 1.4.1")
    const payer = await createPayer()
    await service.fund(payer, USDC, 5_000_000n)
    const hash = await sendAndWait(payer, USDC, { data: transferData(wallet.address, 1_250_000n) })
    await runWatcher()
    const [deposit, ...others] = await findTransactions(wallet, hash)
    assert.deepStrictEqual(others, [])
    assert.deepStrictEqual(summaryOf(deposit), ["CRYPTO_DEPOSIT", "COMPLETED", USDC, "1.25", payer])
    assert.strictEqual(deposit.receivedAmount.amountIn.usd, "1.25")
    assert.strictEqual(deposit.substatus, "INCLUDED")
    assert.strictEqual(deposit.receivedBy, wallet.address)
    const { body } = await service.request("GET", `/api/v1/wallets/${wallet.address}`)
    assert.isNotNull(body.wallet.lastTransactionAt)
    await mineBlocks(20)
    await runWatcher()
    assert.lengthOf(await findTransactions(wallet, hash), 1)
  })

  it("of native tokens is in the history, by a transaction or by an internal call", async () => {
    const wallet = walletOf("SimpleAccount 0.8")
    const payer = await createPayer()
    const directHash = await sendAndWait(payer, wallet.address, { value: parseEther("1.5") })
    const internalHash = await sendInside(payer, wallet.address, parseEther("0.25"))
    await runWatcher()
    assert.deepStrictEqual((await findTransactions(wallet, directHash)).map(summaryOf), [
      ["CRYPTO_DEPOSIT", "COMPLETED", NATIVE, "1.5", payer]
    ])
    assert.deepStrictEqual((await findTransactions(wallet, internalHash)).map(summaryOf), [
      ["CRYPTO_DEPOSIT", "COMPLETED", NATIVE, "0.25", MULTICALL]
    ])
  })

  it("is in the history of each project that registered the wallet, also if it preceded the registration", async () => {
    const wallet = walletOf("SimpleAccount 0.7")
    const payer = await createPayer()
    await service.fund(payer, USDC, 5_000_000n)
    const hash = await sendAndWait(payer, USDC, { data: transferData(wallet.address, 7n) })
    const directHash = await sendAndWait(payer, wallet.address, { value: parseEther("1.5") })
    const internalHash = await sendInside(payer, wallet.address, parseEther("0.25"))
    await runWatcher()
    for (const hashToFind of [hash, directHash, internalHash])
      assert.lengthOf(await findTransactions(wallet, hashToFind), 1)
    const { apiKey } = await service.newProject(null)
    const { externallyOwnedAccount, factory, eip7702 } = { ...wallet, externallyOwnedAccount: wallet.owner }
    const registration = await service.request(
      "POST",
      "/api/v1/wallets/register",
      { externallyOwnedAccount, factory, eip7702 },
      { "x-api-key": apiKey }
    )
    assert.isBelow(registration.status, 300)
    await runWatcher()
    assert.lengthOf(await findTransactions(wallet, hash), 1)
    const [earlierDeposit] = await findTransactions(wallet, hash, "", apiKey)
    assert.deepStrictEqual(summaryOf(earlierDeposit), ["CRYPTO_DEPOSIT", "COMPLETED", USDC, "0.000007", payer])
    for (const nativeTransferHash of [directHash, internalHash]) {
      const [first] = await findTransactions(wallet, nativeTransferHash)
      const [otherProjectDeposit] = await findTransactions(wallet, nativeTransferHash, "", apiKey)
      assert.deepStrictEqual(summaryOf(otherProjectDeposit), summaryOf(first))
    }
    const laterHash = await sendAndWait(payer, USDC, { data: transferData(wallet.address, 8n) })
    await runWatcher()
    for (const key of [service.apiKey, apiKey]) assert.lengthOf(await findTransactions(wallet, laterHash, "", key), 1)
  })

  it("of zero is not recorded, and neither is a reverted one", async () => {
    const wallet = walletOf("Safe 1.4.1")
    const payer = await createPayer()
    const zeroTransferHash = await sendAndWait(payer, USDC, { data: transferData(wallet.address, 0n) })
    const revertedHash = await sendAndWait(payer, USDC, { data: transferData(wallet.address, 10n ** 30n), value: 0n })
    await runWatcher()
    for (const hash of [zeroTransferHash, revertedHash])
      assert.deepStrictEqual(await findTransactions(wallet, hash), [])
  })
})

describe("an operation of the service", () => {
  it("is in the history of its wallet once, and a transfer to another wallet is in that wallet's history", async () => {
    const [from, to] = [walletOf("SimpleAccount 0.8"), walletOf("Safe 1.4.1")]
    const countBefore = (await listHistory(to)).length
    const hash = await execute(from, transferOf(from, to.address))
    const transaction = await service.settled(from.address, hash)
    const swapTransaction = await service.settled(
      from.address,
      await execute(from, { path: "/api/v1/crypto/swap", request: swapOf(from) })
    )
    await runWatcher()
    for (const { transactionHash, type } of [transaction, swapTransaction]) {
      const matchingItems = await findTransactions(from, transactionHash.hash)
      assert.deepStrictEqual(
        matchingItems.map((each: { type: string }) => each.type),
        [type]
      )
    }
    assert.lengthOf(await listHistory(to), countBefore + 1)
    const receivedTransactions = await findTransactions(to, transaction.transactionHash.hash)
    assert.deepStrictEqual(receivedTransactions.map(summaryOf), [
      ["CRYPTO_DEPOSIT", "COMPLETED", USDC, "25.5", from.address]
    ])
    await mineBlocks(20)
    await runWatcher()
    assert.lengthOf(await listHistory(to), countBefore + 1)
  })

  it("is awaited if its block is read before it is recorded", async () => {
    const [from, to] = [walletOf("SimpleAccount 0.7"), walletOf("SimpleAccount 0.8")]
    const quoteResponse = await service.request("POST", "/api/v1/crypto/transfer", transferOf(from, to.address).request)
    const quote = quoteResponse.body.transfer
    const countHistories = async () => [(await listHistory(from)).length, (await listHistory(to)).length]
    const [senderCount, receiverCount] = await countHistories()
    const quoteSignatures = await service.signatures(from.privateKey, quote.signData)
    // The chain watcher may read the block before the service records the operation as included. The transfer must then
    // wait, so that it is not recorded a second time as an external transfer.
    const { userOperationHash } = quote
    await callRpc("evm_setAutomine", false)
    const execution = await service.request("POST", "/api/v1/crypto/execute-user-op", {
      userOperationHash,
      ...quoteSignatures
    })
    assert.strictEqual(execution.status, 200)
    await callRpc("evm_setAutomine", true)
    await mineBlocks(1)
    await runWatcher(true)
    const settledTransaction = await service.settled(from.address, userOperationHash)
    await runWatcher()
    const matchingItems = await findTransactions(from, settledTransaction.transactionHash.hash)
    assert.deepStrictEqual(
      matchingItems.map((each: { type: string }) => each.type),
      ["TRANSFER"]
    )
    assert.deepStrictEqual(await countHistories(), [senderCount! + 1, receiverCount! + 1])
  })
})

describe("an external transfer from the wallet", () => {
  it("is a withdrawal, with its gas cost", async () => {
    const wallet = wallets.find(({ eip7702 }) => eip7702)!
    await callRpc("anvil_setBalance", wallet.address, numberToHex(parseEther("2")))
    const receiver = anAddress()
    const tokenTransferHash = await sendAndWait(wallet.address, USDC, { data: transferData(receiver, 3_000_000n) })
    const nativeTransferHash = await sendAndWait(wallet.address, receiver, { value: parseEther("0.5") })
    await runWatcher()
    assert.deepStrictEqual((await findTransactions(wallet, tokenTransferHash)).map(summaryOf), [
      ["CRYPTO_WITHDRAW", "COMPLETED", USDC, "3", receiver]
    ])
    assert.deepStrictEqual((await findTransactions(wallet, nativeTransferHash)).map(summaryOf), [
      ["CRYPTO_WITHDRAW", "COMPLETED", NATIVE, "0.5", receiver]
    ])
  })
})

describe("a token that is not listed", () => {
  it("is hidden, and shown with includeUnlisted, up to a number of transactions", async () => {
    const wallet = walletOf("Safe 1.4.1")
    const [payer, liarToken] = [await createPayer(), await deploySpoofingToken()]
    const countBefore = (await listHistory(wallet)).length
    const spamHash = await sendAndWait(payer, liarToken, { data: transferEvent(payer, wallet.address, 10n ** 24n) })
    const spoofedHash = await sendAndWait(payer, liarToken, { data: transferEvent(wallet.address, payer, 10n ** 24n) })
    await runWatcher()
    assert.deepStrictEqual(await findTransactions(wallet, spamHash), [])
    const [deposit] = await findTransactions(wallet, spamHash, "includeUnlisted=true")
    assert.deepStrictEqual(summaryOf(deposit), ["CRYPTO_DEPOSIT", "COMPLETED", null, String(10n ** 24n), payer])
    assert.strictEqual(deposit.substatus, "UNLISTED_TOKEN")
    assert.lengthOf(await findTransactions(wallet, spoofedHash, "includeUnlisted=true"), 1)
    await callRpc("evm_setAutomine", false)
    for (let sentCount = 0; sentCount < 130; sentCount++) {
      await submit(payer, liarToken, { data: transferEvent(payer, wallet.address, BigInt(sentCount + 1)) })
    }
    await callRpc("evm_setAutomine", true)
    await mineBlocks(3)
    await runWatcher()
    const unlistedDeposits = (await listHistory(wallet, "includeUnlisted=true&take=100")).filter(
      ({ substatus }: { substatus: string }) => substatus === "UNLISTED_TOKEN"
    )
    assert.lengthOf(unlistedDeposits, 100)
    assert.lengthOf(await listHistory(wallet), countBefore)
  })
})

describe("a reorg", () => {
  it("removes a detected transfer of an orphaned block, and it is detected again in another block", async () => {
    const wallet = walletOf("SimpleAccount 0.7")
    const payer = await createPayer()
    await service.fund(payer, USDC, 5_000_000n)
    const snapshot = await callRpc("evm_snapshot")
    const hash = await sendAndWait(payer, USDC, { data: transferData(wallet.address, 11n) })
    const lostHash = await sendAndWait(payer, USDC, { data: transferData(wallet.address, 12n) })
    await runWatcher()
    const [deposit] = await findTransactions(wallet, hash)
    assert.strictEqual(deposit.status, "COMPLETED")
    await callRpc("evm_revert", snapshot)
    await mineBlocks(3)
    await runWatcher(true)
    const [reorgedDeposit] = await findTransactions(wallet, hash)
    assert.deepStrictEqual(
      [reorgedDeposit.id, reorgedDeposit.status, reorgedDeposit.substatus],
      [deposit.id, "PROCESSING", "REORGED"]
    )
    // Sends the same transaction again, with the same sender and nonce.
    const secondHash = await sendAndWait(payer, USDC, { data: transferData(wallet.address, 11n) })
    assert.strictEqual(secondHash, hash)
    await runWatcher()
    const [restoredDeposit] = await findTransactions(wallet, hash)
    assert.deepStrictEqual([restoredDeposit.id, ...summaryOf(restoredDeposit)], [deposit.id, ...summaryOf(deposit)])
    await mineBlocks(FINALITY + 1)
    await runWatcher()
    const [failedDeposit] = await findTransactions(wallet, lostHash)
    assert.deepStrictEqual([failedDeposit.status, failedDeposit.failure.code], ["FAILED", "REORGED"])
    assert.strictEqual((await findTransactions(wallet, hash))[0].status, "COMPLETED")
  })
})

describe("an external wrap of native tokens", () => {
  it("is a deposit of tokens and a withdrawal of native tokens", async () => {
    const wallet = wallets.find(({ eip7702 }) => eip7702)!
    const hash = await sendAndWait(wallet.address, WETH, { value: parseEther("0.25") })
    await runWatcher()
    const matchingItems = (await findTransactions(wallet, hash)).map(summaryOf).toSorted()
    assert.deepStrictEqual(matchingItems, [
      ["CRYPTO_DEPOSIT", "COMPLETED", WETH, "0.25", `0x${"0".repeat(40)}`],
      ["CRYPTO_WITHDRAW", "COMPLETED", NATIVE, "0.25", WETH]
    ])
  })
})

describe("the balances of all wallets", () => {
  it("agree with history, tax exports and portfolio, for every token", async () => {
    await runWatcher()
    const comparisons = []
    for (const { address, eip7702 } of wallets) {
      // Native token balances that a test has set without a transaction.
      const unrecordedAmounts = eip7702 ? { [NATIVE]: "2" } : {}
      comparisons.push(
        await compareExport(service, address, {
          month: new Date().toISOString().slice(0, 7),
          unrecorded: unrecordedAmounts
        })
      )
    }
    assert.isAbove(Math.min(...comparisons.map(({ assets }) => assets)), 0)
    assert.isAbove(
      comparisons.reduce((sum, { movements }) => sum + movements, 0),
      20
    )
  })
})
