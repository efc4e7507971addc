import { randomBytes } from "node:crypto"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { encodeFunctionData, parseUnits } from "viem"
import { entryPoint08Abi, entryPoint08Address } from "viem/account-abstraction"
import { waitUntilTrue } from "../../core/test/support/until.ts"
import { NATIVE, registerOneOfEachKind, swapOf, type TestWallet, USDC } from "./support/accounts.ts"
import { askChain } from "./support/askChain.ts"
import { startTestService, type TestResponse, type TestService } from "./support/testService.ts"

/** Tests concurrent pending operations of one wallet, on real contracts. */

const kinds = ["SimpleAccount 0.7", "SimpleAccount 0.8", "Safe 1.4.1", "Simple7702Account"]
const randomAddress = () => `0x${randomBytes(20).toString("hex")}`

let service: TestService
let wallets: ReadonlyArray<TestWallet>

beforeAll(async () => {
  service = await startTestService({ finality: () => ({ blocks: 8, pollEveryMs: 100 }) })
  wallets = await registerOneOfEachKind(service)
})
afterAll(() => service.stop())

const walletOf = (kind: string) => wallets.find(({ name }) => name === kind)!

const callRpc = (method: string, ...params: ReadonlyArray<unknown>) =>
  askChain(service.chains.rpcUrl(1), method, ...params)

interface Transfer {
  readonly userOperationHash: string
  readonly signData: ReadonlyArray<never>
  readonly estimatedGasFees: { readonly maxGasFeeToken: string }
}

const requestQuote = async (
  wallet: TestWallet,
  amount: string,
  changes: Record<string, unknown> = {},
  headers: Record<string, string> = {}
): Promise<Transfer> => {
  const request = {
    walletAddress: wallet.address,
    chainId: 1,
    token: USDC,
    amount,
    toAddress: randomAddress(),
    gasFeePaymentMethod: "ADD_TO_AMOUNT",
    payGasFeeToken: USDC,
    ...changes
  }
  const { body, status } = await service.request("POST", "/api/v1/crypto/transfer", request, headers)
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body.transfer
}

const requestQuotes = async (count: number, request: () => Promise<Transfer>): Promise<ReadonlyArray<Transfer>> => {
  const allTransfers: Array<Transfer> = []
  for (let i = 0; i < count; i++) allTransfers.push(await request())
  return allTransfers
}

const execute = async (
  wallet: TestWallet,
  { signData, userOperationHash }: Transfer,
  headers: Record<string, string> = {}
): Promise<TestResponse> => {
  const signatures = await service.signatures(wallet.privateKey, signData)
  return service.request("POST", "/api/v1/crypto/execute-user-op", { userOperationHash, ...signatures }, headers)
}

const executeAtOnce = (wallet: TestWallet, transfers: ReadonlyArray<Transfer>) =>
  Promise.all(transfers.map((transfer) => execute(wallet, transfer)))

/** Waits for the final status of each accepted operation. */
const endStatuses = async (
  wallet: TestWallet,
  transfers: ReadonlyArray<Transfer>,
  responses: ReadonlyArray<TestResponse>
) => {
  const acceptedTransfers = transfers.filter((_, i) => responses[i]!.status === 200)
  const settledTransactions = await Promise.all(
    acceptedTransfers.map((one) => service.settled(wallet.address, one.userOperationHash))
  )
  return settledTransactions.map(({ status }) => status as string)
}

const setBalance = async (wallet: TestWallet, token: string, units: bigint) =>
  token === NATIVE
    ? callRpc("anvil_setBalance", wallet.address, `0x${units.toString(16)}`)
    : callRpc("anvil_dealERC20", wallet.address, token, `0x${units.toString(16)}`)

/** Returns the maximum gas fee in base units of USDC. */
const maxGasOf = ({ estimatedGasFees }: Transfer) => parseUnits(estimatedGasFees.maxGasFeeToken, 6)

/** Deploys an account, and leaves an allowance for gas. */
const deployWallet = async (kind: string) => {
  const wallet = walletOf(kind)
  await setBalance(wallet, USDC, 1_000_000_000n)
  const transfer = await requestQuote(wallet, "1")
  assert.deepStrictEqual(await endStatuses(wallet, [transfer], [await execute(wallet, transfer)]), ["COMPLETED"])
  return wallet
}

const OPERATION_COUNT = 8

describe.each(kinds)("eight operations of a %s that each spend its whole balance", (kind) => {
  it.each([
    ["dollars, with gas in dollars", USDC, USDC],
    ["dollars, with gas in native tokens", USDC, NATIVE],
    ["native tokens, with gas in native tokens", NATIVE, NATIVE]
  ])("in %s: one is executed, the others are rejected before anything is sent", async (_, token, payGasFeeToken) => {
    const wallet = await deployWallet(kind)
    await setBalance(wallet, NATIVE, 10n ** 18n)
    await setBalance(wallet, USDC, 1_000_000_000n)
    if (token === NATIVE) await setBalance(wallet, NATIVE, 10n ** 19n)
    const amount = token === NATIVE ? "9.5" : "900"
    const allQuotes = await requestQuotes(OPERATION_COUNT, () =>
      requestQuote(wallet, amount, { token, payGasFeeToken })
    )
    const responses = await executeAtOnce(wallet, allQuotes)
    assert.deepStrictEqual(await endStatuses(wallet, allQuotes, responses), ["COMPLETED"])
    for (const { body, status } of responses.filter((response) => response.status !== 200)) {
      assert.deepStrictEqual([status, body.id], [409, "QUOTE_STALE"], JSON.stringify(body))
    }
  })
})

describe("a wallet with several pending operations", () => {
  /** Stops block production while the test runs. */
  const withoutMining = async (test: () => Promise<void>) => {
    await callRpc("evm_setAutomine", false)
    try {
      await test()
    } finally {
      await callRpc("evm_setAutomine", true)
      await callRpc("anvil_mine", "0x1")
    }
  }

  /** Deposits native tokens for gas at EntryPoint 0.8, from another account. */
  const depositGas = async (wallet: TestWallet, wei: bigint) => {
    const from = randomAddress()
    await callRpc("anvil_setBalance", from, `0x${(2n * wei).toString(16)}`)
    await callRpc("anvil_impersonateAccount", from)
    const args = [wallet.address as `0x${string}`] as const
    const data = encodeFunctionData({ abi: entryPoint08Abi, functionName: "depositTo", args })
    await callRpc("eth_sendTransaction", { from, to: entryPoint08Address, data, value: `0x${wei.toString(16)}` })
  }

  const assertShortage = ({ body, status }: TestResponse, symbol: string) => {
    assert.deepStrictEqual([status, body.id], [409, "QUOTE_STALE"], JSON.stringify(body))
    assert.match(
      body.revertReason.decoded,
      new RegExp(
        `^pending operations of the wallet need [0-9.]+ of its [0-9.]+ ${symbol}, and this operation needs [0-9.]+`,
        "u"
      )
    )
    assert.include(body.message, "Execute it again when the other operations have ended")
  }

  it("can submit fifteen operations that need exactly its balance, and each is executed", async () => {
    const wallet = await deployWallet("SimpleAccount 0.8")
    await setBalance(wallet, USDC, 10_000_000_000n)
    const allQuotes = await requestQuotes(15, () => requestQuote(wallet, "10"))
    await setBalance(
      wallet,
      USDC,
      allQuotes.reduce((sum, transfer) => sum + 10_000_000n + maxGasOf(transfer), 0n)
    )
    const responses = await executeAtOnce(wallet, allQuotes)
    assert.deepStrictEqual(
      responses.map(({ status }) => status),
      allQuotes.map(() => 200)
    )
    assert.deepStrictEqual(
      await endStatuses(wallet, allQuotes, responses),
      allQuotes.map(() => "COMPLETED")
    )
  })

  it("can submit ten swaps whose amounts add up to its balance, with gas deducted from them", async () => {
    const wallet = await deployWallet("Simple7702Account")
    await setBalance(wallet, USDC, 1_000_000_000n)
    const request = swapOf(wallet, { gasFeePaymentMethod: "DEDUCT_FROM_AMOUNT", slippage: 5 })
    const allQuotes = await requestQuotes(
      10,
      async () => (await service.request("POST", "/api/v1/crypto/swap", request)).body.quotes[0]
    )
    const responses = await executeAtOnce(wallet, allQuotes)
    assert.deepStrictEqual(
      await endStatuses(wallet, allQuotes, responses),
      allQuotes.map(() => "COMPLETED")
    )
  })

  it("with gas for two operations cannot submit a third one until a block contains the first, and the error states so", async () => {
    const wallet = await deployWallet("SimpleAccount 0.7")
    await setBalance(wallet, NATIVE, 10n ** 18n)
    const [firstTransfer, secondTransfer, thirdTransfer] = await requestQuotes(3, () =>
      requestQuote(wallet, "0.1", { token: NATIVE })
    )
    await setBalance(
      wallet,
      USDC,
      maxGasOf(firstTransfer!) + maxGasOf(secondTransfer!) + maxGasOf(thirdTransfer!) / 10n
    )
    await withoutMining(async () => {
      assert.strictEqual((await execute(wallet, firstTransfer!)).status, 200)
      assert.strictEqual((await execute(wallet, secondTransfer!)).status, 200)
      assertShortage(await execute(wallet, thirdTransfer!), "USDC")
    })
    await service.settled(wallet.address, firstTransfer!.userOperationHash)
    await service.settled(wallet.address, secondTransfer!.userOperationHash)
    assert.deepStrictEqual(await endStatuses(wallet, [thirdTransfer!], [await execute(wallet, thirdTransfer!)]), [
      "COMPLETED"
    ])
  })

  it("can submit a rejected operation again once its balance suffices, before a block contains the first one", async () => {
    const wallet = await deployWallet("Safe 1.4.1")
    await setBalance(wallet, USDC, 1_000_000_000n)
    const [firstTransfer, secondTransfer] = await requestQuotes(2, () => requestQuote(wallet, "900"))
    const responses: Array<TestResponse> = []
    await withoutMining(async () => {
      responses.push(await execute(wallet, firstTransfer!))
      assertShortage(await execute(wallet, secondTransfer!), "USDC")
      await setBalance(wallet, USDC, 2_000_000_000n)
      responses.push(await execute(wallet, secondTransfer!))
    })
    assert.deepStrictEqual(await endStatuses(wallet, [firstTransfer!, secondTransfer!], responses), [
      "COMPLETED",
      "COMPLETED"
    ])
  })

  it("reserves the funds of an operation again after a reorg removes the operation", async () => {
    const wallet = await deployWallet("SimpleAccount 0.7")
    await setBalance(wallet, USDC, 1_000_000_000n)
    await callRpc("anvil_mine", "0x1")
    const [firstTransfer, secondTransfer] = await requestQuotes(2, () => requestQuote(wallet, "900"))
    const response = await execute(wallet, firstTransfer!)
    assert.strictEqual(response.status, 200, JSON.stringify(response.body))
    assert.deepStrictEqual(await endStatuses(wallet, [firstTransfer!], [response]), ["COMPLETED"])
    await withoutMining(async () => {
      await callRpc("anvil_reorg", 1, [])
      const path = `/api/v1/wallets/${wallet.address}/history?userOperationHash=${firstTransfer!.userOperationHash}`
      await waitUntilTrue(async () => (await service.request("GET", path)).body.transactions[0].status === "PROCESSING")
      assertShortage(await execute(wallet, secondTransfer!), "USDC")
    })
    assert.strictEqual((await service.settled(wallet.address, firstTransfer!.userOperationHash)).status, "COMPLETED")
  })

  it("spends its deposit at the EntryPoint on gas in native tokens, too", async () => {
    const wallet = await deployWallet("SimpleAccount 0.8")
    await setBalance(wallet, NATIVE, 0n)
    await depositGas(wallet, 10n ** 17n)
    const allQuotes = await requestQuotes(5, () => requestQuote(wallet, "1", { payGasFeeToken: NATIVE }))
    assert.deepStrictEqual(
      await endStatuses(wallet, allQuotes, await executeAtOnce(wallet, allQuotes)),
      allQuotes.map(() => "COMPLETED")
    )
  })

  it("has one reservation across all projects that registered it, and no project sees another's operations", async () => {
    const wallet = await deployWallet("SimpleAccount 0.8")
    const { apiKey } = await service.newProject(null)
    const otherHeaders = { "x-api-key": apiKey }
    const registration = await service.request(
      "POST",
      "/api/v1/wallets/register",
      { externallyOwnedAccount: wallet.owner, factory: wallet.factory, eip7702: wallet.eip7702 },
      otherHeaders
    )
    assert.strictEqual(registration.body.wallet.walletAddress, wallet.address)
    await setBalance(wallet, USDC, 1_000_000_000n)
    const ownQuote = await requestQuote(wallet, "900")
    const otherQuote = await requestQuote(wallet, "800", {}, otherHeaders)
    await withoutMining(async () => {
      assert.strictEqual((await execute(wallet, ownQuote)).status, 200)
      const refusal = await execute(wallet, otherQuote, otherHeaders)
      assertShortage(refusal, "USDC")
      assert.notInclude(JSON.stringify(refusal.body), ownQuote.userOperationHash)
    })
    await service.settled(wallet.address, ownQuote.userOperationHash)
  })
})
