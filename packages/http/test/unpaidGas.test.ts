import { randomBytes } from "node:crypto"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { waitUntilTrue } from "../../core/test/support/until.ts"
import { NATIVE, registerOneOfEachKind, type TestWallet, USDC } from "./support/accounts.ts"
import { askChain } from "./support/askChain.ts"
import { balanceOf } from "./support/balances.ts"
import { parsePrometheusText } from "./support/prometheusText.ts"
import { startTestService, type TestResponse, type TestService } from "./support/testService.ts"

/** Tests operations whose gas the paymaster pays without reimbursement, on real contracts. */

const FUNDED_UNITS = 1_000_000_000_000n
const randomAddress = () => `0x${randomBytes(20).toString("hex")}`

let service: TestService
let wallets: ReadonlyArray<TestWallet>

beforeAll(async () => {
  service = await startTestService()
  wallets = await registerOneOfEachKind(service)
})
afterAll(() => service.stop())

const walletOf = (kind: string) => wallets.find(({ name }) => name === kind)!

const callRpc = (method: string, ...params: ReadonlyArray<unknown>) =>
  askChain(service.chains.rpcUrl(1), method, ...params)

const requestTransfer = (wallet: TestWallet, changes: Record<string, unknown> = {}) =>
  service.request("POST", "/api/v1/crypto/transfer", {
    walletAddress: wallet.address,
    chainId: 1,
    token: USDC,
    amount: "25",
    toAddress: randomAddress(),
    gasFeePaymentMethod: "ADD_TO_AMOUNT",
    payGasFeeToken: USDC,
    ...changes
  })

const requestQuote = async (wallet: TestWallet, changes: Record<string, unknown> = {}) => {
  const { body, status } = await requestTransfer(wallet, changes)
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body.transfer
}

const execute = async (wallet: TestWallet, transfer: Awaited<ReturnType<typeof requestQuote>>) =>
  service.request("POST", "/api/v1/crypto/execute-user-op", {
    userOperationHash: transfer.userOperationHash,
    ...(await service.signatures(wallet.privateKey, transfer.signData))
  })

const executeTransfer = async (wallet: TestWallet) => {
  const transfer = await requestQuote(wallet)
  const { body, status } = await execute(wallet, transfer)
  assert.strictEqual(status, 200, JSON.stringify(body))
  const transaction = await service.settled(wallet.address, transfer.userOperationHash)
  assert.strictEqual(transaction.status, "COMPLETED", JSON.stringify(transaction.failure))
}

const drainWallet = (wallet: TestWallet) => callRpc("anvil_dealERC20", wallet.address, USDC, "0x0")

/** Revokes the allowances of the paymasters. Without an allowance a paymaster takes its fee only after the calls. */
const revokeAllowances = async (wallet: TestWallet) => {
  for (const paymaster of Object.values(service.chains.paymasters)) {
    await callRpc("anvil_setERC20Allowance", wallet.address, paymaster, USDC, "0x0")
  }
}

/** Waits until the mempool contains a transaction of an operator. */
const waitUntilPooled = () => waitUntilTrue(async () => Number((await callRpc("txpool_status")).pending) > 0)

/** Stops block production while `run` runs. */
const runWithoutBlocks = async (run: () => Promise<void>) => {
  await callRpc("evm_setAutomine", false)
  try {
    await run()
  } finally {
    await callRpc("evm_setAutomine", true)
    await callRpc("anvil_mine", "0x1")
  }
}

/**
 * Executes an operation that passes all checks when it is accepted, but whose wallet has no tokens when it is included.
 */
const failUnpaid = async (wallet: TestWallet) => {
  await revokeAllowances(wallet)
  const transfer = await requestQuote(wallet)
  await runWithoutBlocks(async () => {
    const { body, status } = await execute(wallet, transfer)
    assert.strictEqual(status, 200, JSON.stringify(body))
    await waitUntilPooled()
    await drainWallet(wallet)
  })
  const transaction = await service.settled(wallet.address, transfer.userOperationHash)
  assert.strictEqual(transaction.status, "FAILED", JSON.stringify(transaction))
  await service.fund(wallet.address, USDC, FUNDED_UNITS)
}

const gasEntryOf = async (wallet: TestWallet) =>
  (await service.gasEntries()).find(({ walletAddress }) => walletAddress === wallet.address)

const assertUnpaidGasRejection = ({ body, headers, status }: TestResponse): number => {
  assert.deepStrictEqual([status, body.id, body.statusCode], [429, "UNPAID_GAS_LIMIT", 429], JSON.stringify(body))
  const seconds = Number(headers.get("retry-after"))
  assert.isTrue(Number.isInteger(seconds) && seconds > 0, String(seconds))
  assert.include(body.message, `${seconds} s`)
  return seconds
}

describe("a wallet whose operation fails without paying for its gas", () => {
  it("must wait after the first failure, may then have one pending operation, is rejected after the third, and recovers as the amount decays", async () => {
    const wallet = walletOf("SimpleAccount 0.8")
    const earlyQuote = await requestQuote(wallet)
    const treasuryBalance = await balanceOf(service, USDC, service.chains.keys.treasury.address)
    await failUnpaid(wallet)
    assert.strictEqual(await balanceOf(service, USDC, service.chains.keys.treasury.address), treasuryBalance)
    const firstGasEntry = await gasEntryOf(wallet)
    assert.strictEqual(firstGasEntry?.count, 1)
    assert.isTrue(firstGasEntry!.wei > 0n && firstGasEntry!.usdE6 > 0n)

    // New quotes are rejected before they are prepared. Operations that were quoted earlier are rejected too.
    const waitSeconds = assertUnpaidGasRejection(await requestTransfer(wallet))
    assert.isAtMost(waitSeconds, 60)
    assertUnpaidGasRejection(await execute(wallet, earlyQuote))
    // The service still serves other wallets of the project, and this wallet if it pays gas in native tokens.
    await executeTransfer(walletOf("SimpleAccount 0.7"))
    await service.fund(wallet.address, "native", 10n ** 18n)
    const nativeTokenQuote = await requestQuote(wallet, { payGasFeeToken: NATIVE })
    assert.strictEqual((await execute(wallet, nativeTokenQuote)).status, 200)
    await service.settled(wallet.address, nativeTokenQuote.userOperationHash)

    await service.advanceClock(waitSeconds)
    const [firstQuote, secondQuote] = [await requestQuote(wallet), await requestQuote(wallet)]
    assert.strictEqual((await execute(wallet, firstQuote)).status, 200)
    assertUnpaidGasRejection(await execute(wallet, secondQuote))
    await service.settled(wallet.address, firstQuote.userOperationHash)

    await service.advanceClock(60)
    await failUnpaid(wallet)
    await service.advanceClock(assertUnpaidGasRejection(await requestTransfer(wallet)))
    await failUnpaid(wallet)
    const stoppedSeconds = assertUnpaidGasRejection(await requestTransfer(wallet))
    assert.isAbove(stoppedSeconds, 12 * 3_600)
    assert.strictEqual((await gasEntryOf(wallet))?.count, 3)
    assert.strictEqual((await requestTransfer(wallet, { payGasFeeToken: NATIVE })).status, 200)

    await service.advanceClock(stoppedSeconds)
    await executeTransfer(wallet)
    await service.advanceClock(2 * 86_400)
    const freeQuotes = [await requestQuote(wallet), await requestQuote(wallet)]
    for (const transfer of freeQuotes) assert.strictEqual((await execute(wallet, transfer)).status, 200)
    for (const transfer of freeQuotes) await service.settled(wallet.address, transfer.userOperationHash)
  })

  it("is served again after the operator resets its unpaid gas", async () => {
    const wallet = walletOf("Safe 1.4.1")
    await failUnpaid(wallet)
    assertUnpaidGasRejection(await requestTransfer(wallet))
    assert.strictEqual(await service.forgive(wallet.address), 1)
    await executeTransfer(wallet)
    assert.strictEqual((await gasEntryOf(wallet))?.currentUsdE6, 0n)
  })

  it("is counted in /metrics, without its address", async () => {
    const { body } = await service.request("GET", "/metrics")
    assert.notInclude(body, walletOf("SimpleAccount 0.8").address)
    const { value } = parsePrometheusText(body)
    assert.isAbove(value("unpaid_gas_refusals_total", { scope: "wallet" })!, 4)
    assert.isNotNull(value("unpaid_gas_lost_usd", { chain: "1" }))
  })
})

describe("a wallet whose operation reverts the operator's transaction", () => {
  it("waits, also if it pays in native tokens; the operation is sent again, and its unpaid gas remains", async () => {
    const wallet = walletOf("SimpleAccount 0.7")
    await service.fund(wallet.address, "native", 10n ** 18n)
    const nativeGasFields = { payGasFeeToken: NATIVE }
    const transfer = await requestQuote(wallet, nativeGasFields)
    await runWithoutBlocks(async () => {
      assert.strictEqual((await execute(wallet, transfer)).status, 200)
      await waitUntilPooled()
      // Removes the wallet's native tokens, which pay the gas, after the operation was traced.
      await callRpc("anvil_setBalance", wallet.address, "0x0")
    })
    await waitUntilTrue(async () => (await gasEntryOf(wallet)) !== undefined)
    const gasEntry = await gasEntryOf(wallet)
    assert.isTrue(gasEntry!.count === 1 && gasEntry!.wei > 0n && gasEntry!.usdE6 > 0n)
    assertUnpaidGasRejection(await requestTransfer(wallet, nativeGasFields))
    assertUnpaidGasRejection(await requestTransfer(wallet))
    await service.fund(wallet.address, "native", 10n ** 18n)
    const transaction = await service.settled(wallet.address, transfer.userOperationHash)
    assert.strictEqual(transaction.status, "COMPLETED", JSON.stringify(transaction))
    assert.strictEqual((await gasEntryOf(wallet))?.wei, gasEntry!.wei)
  })
})

describe("an honest wallet", () => {
  it("has no unpaid gas after twenty stale quotes, refused executions and paid operations", async () => {
    const wallet = walletOf("Simple7702Account")
    await service.fund(wallet.address, USDC, FUNDED_UNITS)
    for (let round = 0; round < 20; round++) {
      const staleQuote = await requestQuote(wallet)
      await drainWallet(wallet)
      const refusal = await execute(wallet, staleQuote)
      assert.deepStrictEqual([refusal.status, refusal.body.id], [409, "QUOTE_STALE"], JSON.stringify(refusal.body))
      await service.fund(wallet.address, USDC, FUNDED_UNITS)
      if (round % 5 === 0) await executeTransfer(wallet)
    }
    const expiredQuote = await requestQuote(wallet)
    await service.advanceClock(61)
    assert.strictEqual((await execute(wallet, expiredQuote)).body.id, "USER_OPERATION_EXPIRED")
    assert.isUndefined(await gasEntryOf(wallet))
    await executeTransfer(wallet)
  })
})
