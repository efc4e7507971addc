import { randomBytes } from "node:crypto"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { parseUnits } from "viem"
import { waitUntilTrue } from "../../core/test/support/until.ts"
import { registerOneOfEachKind, swapOf, type TestWallet, USDC } from "./support/accounts.ts"
import { askChain } from "./support/askChain.ts"
import { balanceOf } from "./support/balances.ts"
import { startTestService, type TestService } from "./support/testService.ts"

/**
 * Tests first uses of a gas token for which the paymaster requires payment in advance: two operations that are signed
 * together.
 */

const randomAddress = () => `0x${randomBytes(20).toString("hex")}`

let service: TestService
let wallets: ReadonlyArray<TestWallet>

beforeAll(async () => {
  service = await startTestService({ firstUseOfGasToken: "PAID" })
  wallets = await registerOneOfEachKind(service)
})
afterAll(() => service.stop())

const callRpc = (method: string, ...params: ReadonlyArray<unknown>) =>
  askChain(service.chains.rpcUrl(1), method, ...params)

const requestQuote = async (wallet: TestWallet, changes: Record<string, unknown> = {}) => {
  const { body, status } = await service.request("POST", "/api/v1/crypto/transfer", {
    walletAddress: wallet.address,
    chainId: 1,
    token: USDC,
    amount: "25",
    toAddress: randomAddress(),
    gasFeePaymentMethod: "ADD_TO_AMOUNT",
    payGasFeeToken: USDC,
    ...changes
  })
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body.transfer
}

const execute = (userOperationHash: string, signatures: object) =>
  service.request("POST", "/api/v1/crypto/execute-user-op", { userOperationHash, ...signatures })

/** Signs all elements of `signData`, executes the quote, and waits for the final status. */
const settle = async (
  wallet: TestWallet,
  { signData, userOperationHash }: Awaited<ReturnType<typeof requestQuote>>
) => {
  const { body, status } = await execute(userOperationHash, await service.signatures(wallet.privateKey, signData))
  assert.strictEqual(status, 200, JSON.stringify(body))
  return service.settled(wallet.address, userOperationHash)
}

const typesOf = ({ signData }: { readonly signData: ReadonlyArray<{ readonly type: string }> }) =>
  signData.map(({ type }) => type)

const getTreasury = () => service.chains.keys.treasury.address

/**
 * Returns by how much gas reduced the wallet's balance. Checks that the treasury's balance increased by the same
 * amount.
 */
const measurePaidGas = async (wallet: TestWallet, run: () => Promise<unknown>, sentAmount: bigint) => {
  const balancesBefore = await Promise.all(
    [wallet.address, getTreasury()].map((holder) => balanceOf(service, USDC, holder))
  )
  await run()
  const balancesAfter = await Promise.all(
    [wallet.address, getTreasury()].map((holder) => balanceOf(service, USDC, holder))
  )
  const paidUnits = balancesBefore[0]! - balancesAfter[0]! - sentAmount
  assert.strictEqual(balancesAfter[1]! - balancesBefore[1]!, paidUnits)
  return paidUnits
}

const revokeAll = async (wallet: TestWallet) => {
  for (const paymaster of Object.values(service.chains.paymasters)) {
    await callRpc("anvil_setERC20Allowance", wallet.address, paymaster, USDC, "0x0")
  }
}

const usdcUnitsOf = (text: string) => parseUnits(text, 6)

describe("a first use of a gas token with payment in advance", () => {
  for (const kind of ["SimpleAccount 0.7", "SimpleAccount 0.8", "Safe 1.4.1", "Simple7702Account"]) {
    const findWallet = () => wallets.find(({ name }) => name === kind)!

    it(`${kind}: requires two operations once, and lists one transaction with the cost of both`, async () => {
      const wallet = findWallet()
      const firstQuote = await requestQuote(wallet)
      assert.isUndefined(firstQuote.revertReason)
      assert.deepStrictEqual(typesOf(firstQuote).toSorted(), [
        ...(wallet.eip7702 ? ["AUTHORIZATION"] : []),
        "USER_OPERATION",
        "USER_OPERATION"
      ])
      assert.match(
        firstQuote.preview.calls[0].summary,
        /^Allow .* USDC for the gas of this and later operations, only for operations that the owner signs, and at most [\d.]+ USDC for this operation$/u
      )
      assert.lengthOf(firstQuote.preview.calls, 2)

      const { signature, ...others } = await service.signatures(wallet.privateKey, firstQuote.signData)
      const { signatures: _, ...otherSignatures } = others as { readonly signatures?: Record<string, string> }
      const missingAllowanceResponse = await execute(firstQuote.userOperationHash, { signature, ...otherSignatures })
      assert.deepStrictEqual(
        [missingAllowanceResponse.status, missingAllowanceResponse.body.id],
        [400, "INVALID_SIGNATURE"]
      )
      assert.include(missingAllowanceResponse.body.message, `signatures.${firstQuote.signData[0].hash}`)
      const wrongSignatureResponse = await execute(firstQuote.userOperationHash, {
        signature,
        ...others,
        signatures: { [firstQuote.signData[0].hash]: signature }
      })
      assert.deepStrictEqual(
        [wrongSignatureResponse.status, wrongSignatureResponse.body.id],
        [400, "INVALID_SIGNATURE"]
      )

      let transaction: Awaited<ReturnType<typeof settle>>
      const paidAmount = await measurePaidGas(
        wallet,
        async () => {
          transaction = await settle(wallet, firstQuote)
        },
        25_000_000n
      )
      assert.strictEqual(transaction.status, "COMPLETED", JSON.stringify(transaction.failure))
      assert.strictEqual(transaction.userOperationHash, firstQuote.userOperationHash)
      assert.isTrue(paidAmount > 0n && paidAmount <= usdcUnitsOf(firstQuote.estimatedGasFees.maxGasFeeToken))
      assert.closeTo(
        Number(paidAmount),
        Number(usdcUnitsOf(firstQuote.estimatedGasFees.gasFeeTokenAmount)),
        0.03 * Number(paidAmount)
      )

      const { body } = await service.request("GET", `/api/v1/crypto/user-operation/${firstQuote.userOperationHash}`)
      assert.strictEqual(BigInt(body.userOperation.nonce) % 2n ** 64n, 1n)
      assert.lengthOf(body.userOperation.signData, firstQuote.signData.length)

      const secondQuote = await requestQuote(wallet)
      assert.deepStrictEqual(typesOf(secondQuote), ["USER_OPERATION"])
      assert.strictEqual((await settle(wallet, secondQuote)).status, "COMPLETED")
    })

    it(`${kind}: leaves enough for the gas of both if gas is deducted from the whole balance`, async () => {
      const wallet = findWallet()
      await revokeAll(wallet)
      await callRpc("anvil_dealERC20", wallet.address, USDC, "0x5f5e100")
      const { body, status } = await service.request(
        "POST",
        "/api/v1/crypto/swap",
        swapOf(wallet, { gasFeePaymentMethod: "DEDUCT_FROM_AMOUNT" })
      )
      assert.strictEqual(status, 200, JSON.stringify(body))
      const [swapQuote] = body.quotes
      assert.isUndefined(swapQuote.revertReason)
      assert.deepStrictEqual(typesOf(swapQuote), ["USER_OPERATION", "USER_OPERATION"])
      const transaction = await settle(wallet, swapQuote)
      assert.strictEqual(transaction.status, "COMPLETED", JSON.stringify(transaction.failure))
      await service.fund(wallet.address, USDC, 1_000_000_000n)
    })
  }

  it("does not send the second operation, and counts unpaid gas, if the wallet is empty before the first", async () => {
    const wallet = wallets.find(({ name }) => name === "SimpleAccount 0.8")!
    await revokeAll(wallet)
    const transfer = await requestQuote(wallet)
    assert.lengthOf(transfer.signData, 2)
    await callRpc("evm_setAutomine", false)
    const signatures = await service.signatures(wallet.privateKey, transfer.signData)
    assert.strictEqual((await execute(transfer.userOperationHash, signatures)).status, 200)
    await waitUntilTrue(
      async () => Number(((await callRpc("txpool_status")) as { readonly pending: string }).pending) > 0
    )
    await callRpc("anvil_dealERC20", wallet.address, USDC, "0x0")
    await callRpc("evm_setAutomine", true)
    await callRpc("anvil_mine", "0x1")
    const transaction = await service.settled(wallet.address, transfer.userOperationHash)
    assert.strictEqual(transaction.status, "FAILED")
    assert.strictEqual(transaction.failure.code, "REVERTED")
    const gasEntries = await service.gasEntries()
    assert.strictEqual(gasEntries.find(({ walletAddress }) => walletAddress === wallet.address)?.count, 1)
    await service.forgive(wallet.address)
    await service.fund(wallet.address, USDC, 1_000_000_000n)
  })

  it("continues after a restart between the two", async () => {
    const wallet = wallets.find(({ name }) => name === "Safe 1.4.1")!
    await revokeAll(wallet)
    const transfer = await requestQuote(wallet)
    await callRpc("evm_setAutomine", false)
    const signatures = await service.signatures(wallet.privateKey, transfer.signData)
    assert.strictEqual((await execute(transfer.userOperationHash, signatures)).status, 200)
    await service.restart()
    await callRpc("evm_setAutomine", true)
    await callRpc("anvil_mine", "0x1")
    const transaction = await service.settled(wallet.address, transfer.userOperationHash)
    assert.strictEqual(transaction.status, "COMPLETED", JSON.stringify(transaction.failure))
  })
})
