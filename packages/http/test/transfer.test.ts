import { randomBytes } from "node:crypto"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { parseUnits } from "viem"
import { NATIVE, registerOneOfEachKind, type TestWallet, USDC, WETH } from "./support/accounts.ts"
import { balanceOf } from "./support/balances.ts"
import { assertProblems } from "./support/refusals.ts"
import { startTestService, type TestService } from "./support/testService.ts"

/** Tests transfers over HTTP, on real contracts. */

const PATH = "/api/v1/crypto/transfer"
const kinds = ["SimpleAccount 0.7", "SimpleAccount 0.8", "Safe 1.4.1", "Simple7702Account"]

let service: TestService
let wallets: ReadonlyArray<TestWallet>

beforeAll(async () => {
  service = await startTestService()
  wallets = await registerOneOfEachKind(service)
})
afterAll(() => service.stop())

const walletOf = (kind: string) => wallets.find(({ name }) => name === kind)!
const randomAddress = () => `0x${randomBytes(20).toString("hex")}`

const transferOf = (wallet: TestWallet, changes: Record<string, unknown> = {}) => ({
  walletAddress: wallet.address,
  chainId: 1,
  token: USDC,
  amount: "25.5",
  toAddress: randomAddress(),
  gasFeePaymentMethod: "ADD_TO_AMOUNT",
  payGasFeeToken: USDC,
  ...changes
})

const quoteOf = async (wallet: TestWallet, changes: Record<string, unknown> = {}) => {
  const { body, status } = await service.request("POST", PATH, transferOf(wallet, changes))
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body.transfer
}

const executeAndWait = async (wallet: TestWallet, quote: Awaited<ReturnType<typeof quoteOf>>) => {
  const { body, status } = await service.request("POST", "/api/v1/crypto/execute-user-op", {
    userOperationHash: quote.userOperationHash,
    ...(await service.signatures(wallet.privateKey, quote.signData))
  })
  assert.strictEqual(status, 200, JSON.stringify(body))
  return service.settled(wallet.address, quote.userOperationHash)
}

const feeOf = (quote: Awaited<ReturnType<typeof quoteOf>>, type: string) =>
  quote.fees.find((fee: { readonly type: string }) => fee.type === type)

describe.each(kinds)("a transfer of a %s", (kind) => {
  it("delivers exactly the amount to the receiver, with gas paid in the token on top of it", async () => {
    const wallet = walletOf(kind)
    const quote = await quoteOf(wallet, { metadata: { order: kind } })
    assert.isUndefined(quote.revertReason)
    assert.strictEqual(quote.amount, "25.5")
    assert.deepStrictEqual(quote.preview.assetChanges[0].token, USDC)
    const balanceBefore = await balanceOf(service, USDC, wallet.address)
    const transaction = await executeAndWait(wallet, quote)
    assert.strictEqual(transaction.status, "COMPLETED", JSON.stringify(transaction.failure))
    assert.strictEqual(transaction.type, "TRANSFER")
    assert.strictEqual(transaction.sentTo, quote.toAddress)
    assert.strictEqual(transaction.sentAmount.amount, "25.5")
    assert.isNull(transaction.receivedAmount)
    assert.deepStrictEqual(transaction.metadata, { order: kind })
    assert.strictEqual(await balanceOf(service, USDC, quote.toAddress), 25_500_000n)
    const spentAmount = balanceBefore - (await balanceOf(service, USDC, wallet.address))
    const maxGasAmount = parseUnits(quote.estimatedGasFees.maxGasFeeToken, 6)
    assert.isTrue(spentAmount > 25_500_000n && spentAmount <= 25_500_000n + maxGasAmount)
    const { amount, maxAmount } = feeOf(transaction, "GAS")
    assert.strictEqual(parseUnits(amount, 6), spentAmount - 25_500_000n)
    assert.strictEqual(parseUnits(maxAmount, 6), maxGasAmount)
  })

  it("deducts the fees from the amount: gas, then transactionFeePercent, then extraFee", async () => {
    const wallet = walletOf(kind)
    const extraFeeReceiver = randomAddress()
    const quote = await quoteOf(wallet, {
      amount: "1000",
      gasFeePaymentMethod: "DEDUCT_FROM_AMOUNT",
      transactionFeePercent: 0.3,
      extraFee: { percentage: 1.25, toAddress: extraFeeReceiver }
    })
    assert.strictEqual(feeOf(quote, "SERVICE").amount, "3")
    assert.strictEqual(feeOf(quote, "EXTRA").amount, "12.5")
    const transaction = await executeAndWait(wallet, quote)
    assert.strictEqual(transaction.status, "COMPLETED", JSON.stringify(transaction.failure))
    const netAmount = 1_000_000_000n - parseUnits(feeOf(quote, "GAS").amount, 6) - 15_500_000n
    assert.strictEqual(await balanceOf(service, USDC, quote.toAddress), netAmount)
    assert.strictEqual(await balanceOf(service, USDC, extraFeeReceiver), 12_500_000n)
  })

  it("sends native tokens while gas is paid in a token", async () => {
    const wallet = walletOf(kind)
    await service.fund(wallet.address, "native", 10n ** 18n)
    const quote = await quoteOf(wallet, { token: NATIVE, amount: "0.123456789012345678" })
    const transaction = await executeAndWait(wallet, quote)
    assert.strictEqual(transaction.status, "COMPLETED", JSON.stringify(transaction.failure))
    assert.strictEqual(transaction.sentAmount.amount, "0.123456789012345678")
    assert.strictEqual(await balanceOf(service, NATIVE, quote.toAddress), 123_456_789_012_345_678n)
  })
})

/** Example address in BIP-173. */
const BITCOIN_ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"

describe("an invalid transfer", () => {
  const requestTransfer = async (changes: Record<string, unknown>) =>
    service.request("POST", PATH, transferOf(walletOf(kinds[0]!), changes))

  it.each([
    ["more digits than the token has", { amount: "1.0000001" }, "body.amount", "too_many_decimals"],
    ["nothing at all", { amount: "0" }, "body.amount", "not_positive"],
    [
      "less than its fees",
      { amount: "0.000001", gasFeePaymentMethod: "DEDUCT_FROM_AMOUNT" },
      "body.amount",
      "fees_exceed_amount"
    ],
    [
      "gas out of another token's amount",
      { gasFeePaymentMethod: "DEDUCT_FROM_AMOUNT", payGasFeeToken: WETH },
      "body.gasFeePaymentMethod",
      "gas_token_is_not_swapped"
    ],
    ["an unknown chain", { chainId: 5 }, "body.chainId", "invalid"],
    ["Bitcoin's chain for smart accounts", { chainId: 0, toAddress: BITCOIN_ADDRESS }, "body.walletAddress", "invalid"],
    ["a Bitcoin address on another chain", { toAddress: BITCOIN_ADDRESS }, "body.toAddress", "invalid"],
    ["all of the wallet on another chain", { amount: "MAX" }, "body.amount", "invalid"],
    ["a field that there is not", { slippage: 1 }, "body.slippage", "unknown_field"]
  ])("with %s is rejected with 400", async (_, changes, path, code) => {
    const { body, status } = await requestTransfer(changes)
    assert.strictEqual(status, 400, JSON.stringify(body))
    assert.deepStrictEqual(
      body.errors.map((error: { readonly path: string; readonly code: string }) => [error.path, error.code]),
      [[path, code]]
    )
  })

  it("with fields that only Bitcoin transfers have is rejected with one problem per field", async () => {
    const response = await requestTransfer({
      furtherReceivers: [{ toAddress: randomAddress(), amount: "20" }],
      feePriority: "FAST",
      feeRate: 12,
      spendUnconfirmedChange: true
    })
    const reason = /Only Bitcoin transfers/u
    assertProblems(
      response,
      ["body.furtherReceivers", reason],
      ["body.feePriority", reason],
      ["body.feeRate", reason],
      ["body.spendUnconfirmedChange", reason]
    )
    assert.strictEqual((await requestTransfer({ spendUnconfirmedChange: false })).status, 200)
  })

  it("of an unlisted token is rejected with NOT_AUTHORIZED_TOKENS", async () => {
    const { body, status } = await requestTransfer({ token: randomAddress() })
    assert.deepStrictEqual([status, body.id], [400, "NOT_AUTHORIZED_TOKENS"])
  })

  it("of an unregistered wallet is rejected with 404", async () => {
    const { body, status } = await requestTransfer({ walletAddress: randomAddress() })
    assert.deepStrictEqual([status, body.id], [404, "ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT"])
  })

  it("of more than the balance is quoted with the reason", async () => {
    const quote = await quoteOf(walletOf(kinds[1]!), { amount: "9000000000" })
    assert.include(quote.revertReason.decoded, "balance")
  })
})
