import { deploymentOf } from "@countersign/adapters/chains/deployments"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { concat, type Hex, keccak256, numberToHex, pad } from "viem"
import { loadArtifacts } from "../../adapters/sandbox/contracts/index.ts"
import { waitUntil, waitUntilTrue } from "../../core/test/support/until.ts"
import { registerOneOfEachKind, swapOf, type TestWallet, USDC } from "./support/accounts.ts"
import { askChain } from "./support/askChain.ts"
import { balanceOf } from "./support/balances.ts"
import { signOperations } from "./support/sign.ts"
import { startTestService, type TestService } from "./support/testService.ts"

/** Tests a listed token that burns 1 % of each transfer, in pools that do not account for it. */

const LINK = deploymentOf(1).tokens.find(({ symbol }) => symbol === "LINK")!.address

let service: TestService
let wallet: TestWallet

const callRpc = (method: string, ...params: ReadonlyArray<unknown>) =>
  askChain(service.chains.rpcUrl(1), method, ...params)

/** Sets a balance in storage. The token stores balances in slot 1. */
const setBalance = (holder: string, units = 10n ** 27n) =>
  callRpc(
    "anvil_setStorageAt",
    LINK,
    keccak256(concat([pad(holder as Hex, { size: 32 }), numberToHex(1, { size: 32 })])),
    numberToHex(units, { size: 32 })
  )

const requestSwap = (changes: Record<string, unknown>) =>
  service.request("POST", "/api/v1/crypto/swap", swapOf(wallet, changes))

beforeAll(async () => {
  service = await startTestService()
  wallet = (await registerOneOfEachKind(service)).find(({ name }) => name === "SimpleAccount 0.8")!
  const { body } = await requestSwap({ tokenOut: LINK })
  const { DeflatingERC20 } = await service.run(loadArtifacts)
  const data = concat([DeflatingERC20.bytecode, pad("0x0")])
  const from = service.chains.keys.treasury.address
  const { contractAddress } = await callRpc("eth_sendTransactionSync", { from, data, gas: "0x2dc6c0" })
  await callRpc("anvil_setCode", LINK, await callRpc("eth_getCode", contractAddress, "latest"))
  await callRpc("anvil_setStorageAt", LINK, pad("0x0"), numberToHex(10n ** 28n, { size: 32 }))
  for (const { through } of body.quotes[0].route[0].hops) await setBalance(through)
  await setBalance(wallet.address)
})
afterAll(() => service.stop())

const RECEIVER = `0x${"71".repeat(20)}`
const gasFields = { gasFeePaymentMethod: "ADD_TO_AMOUNT", payGasFeeToken: USDC }
const warningOf = (amount: string, receivedAmount: string) =>
  `LINK charges a fee on transfers, or rebases (changes balances without transfers). If ${amount} LINK is sent to ${RECEIVER}, only ${receivedAmount} LINK arrives.`

const refusalPattern =
  /received amount of LINK is less than the sent amount: the token charges a fee on transfers, or rebases \(changes balances without transfers\)/u

describe("a token with a transfer fee", () => {
  for (const slippage of [0.5, 5]) {
    it(`is not bought, with a slippage of ${slippage} %`, async () => {
      const { body, status } = await requestSwap({ tokenOut: LINK, slippage })
      assert.strictEqual(status, 500)
      assert.strictEqual(body.id, "SWAP_QUOTE")
      assert.match(body.message, refusalPattern)
    })

    it(`is not sold, with a slippage of ${slippage} %`, async () => {
      const { body, status } = await requestSwap({ tokenIn: LINK, amountIn: "5", slippage })
      assert.strictEqual(status, 500, JSON.stringify(body.quotes?.[0]))
      assert.strictEqual(body.id, "SWAP_QUOTE")
      assert.match(body.message, refusalPattern)
    })
  }

  it("is sent with a warning that states the received amount, and exactly that amount arrives", async () => {
    const { body, status } = await service.request("POST", "/api/v1/crypto/transfer", {
      walletAddress: wallet.address,
      chainId: 1,
      token: LINK,
      amount: "10",
      toAddress: RECEIVER,
      transactionFeePercent: 0,
      ...gasFields
    })
    assert.strictEqual(status, 200, JSON.stringify(body))
    const { transfer } = body
    assert.deepStrictEqual(transfer.warnings, [warningOf("10", "9.9")])
    assert.deepStrictEqual([transfer.amount, transfer.receivedAmount], ["10", "9.9"])
    assert.deepInclude(transfer.preview.assetChanges, { token: LINK, amount: "-10" })
    const execution = await service.request("POST", "/api/v1/crypto/execute-user-op", {
      userOperationHash: transfer.userOperationHash,
      ...(await signOperations(wallet.privateKey, transfer.signData))
    })
    assert.strictEqual(execution.status, 200, JSON.stringify(execution.body))
    await waitUntilTrue(async () => (await balanceOf(service, LINK, RECEIVER)) === 99n * 10n ** 17n)
    const historyPath = `/api/v1/wallets/${wallet.address}/history?userOperationHash=${transfer.userOperationHash}`
    const completedTransaction = await waitUntil(
      async () => (await service.request("GET", historyPath)).body.transactions[0],
      ({ status }) => status === "COMPLETED"
    )
    assert.deepStrictEqual([completedTransaction.sentAmount.amount, completedTransaction.sentTo], ["10", RECEIVER])
  })

  it("is sent in a batch with a warning for each receiver", async () => {
    const transferOperation = (amount: string) => ({
      type: "transfer",
      params: { token: LINK, amount, toAddress: RECEIVER, ...gasFields }
    })
    const { body, status } = await service.request("POST", "/api/v1/crypto/batch-operations", {
      walletAddress: wallet.address,
      chainId: 1,
      operations: [transferOperation("10"), transferOperation("5")]
    })
    assert.strictEqual(status, 200, JSON.stringify(body))
    assert.deepStrictEqual(body.warnings, [warningOf("10", "9.9"), warningOf("5", "4.95")])
    const amounts = body.operations.map(
      ({ transfer }: { readonly transfer: { readonly amount: string } }) => transfer.amount
    )
    assert.deepStrictEqual(amounts, ["9.9", "4.95"])
  })

  it("is neither sold nor bought by a limit order", async () => {
    const terms = { expiration: 3_600, partialFillable: true }
    const sellResult = await requestSwap({
      tokenIn: LINK,
      amountIn: "5",
      tokenOut: USDC,
      minAmountOut: "500",
      ...terms
    })
    const buyResult = await requestSwap({ tokenOut: LINK, minAmountOut: "500", ...terms })
    for (const { body, status } of [sellResult, buyResult]) {
      assert.strictEqual(status, 500, JSON.stringify(body))
      assert.strictEqual(body.id, "SWAP_QUOTE")
      assert.match(body.message, refusalPattern)
    }
    // If the wallet has no balance of the token, only a market swap detects the transfer fee.
    await setBalance(wallet.address, 0n)
    const emptyWalletResponse = await requestSwap({ tokenOut: LINK, minAmountOut: "500", ...terms })
    assert.match(emptyWalletResponse.body.message, refusalPattern)
  })
})
