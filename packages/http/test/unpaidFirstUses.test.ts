import { randomBytes } from "node:crypto"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { waitUntilTrue } from "../../core/test/support/until.ts"
import { NATIVE, registerOneOfEachKind, type TestWallet, USDC } from "./support/accounts.ts"
import { askChain } from "./support/askChain.ts"
import { startTestService, type TestService } from "./support/testService.ts"

/** Tests many new wallets whose concurrent first operations fail without paying their gas, on real contracts. */

const ATTACKER_COUNT = 60
const BUDGET_USD_E6 = 50_000_000n

let service: TestService
let honestWallet: TestWallet

beforeAll(async () => {
  service = await startTestService({ quoteSeconds: 1_800 })
  honestWallet = (await registerOneOfEachKind(service)).find(({ name }) => name === "SimpleAccount 0.8")!
  await service.fund(honestWallet.address, "native", 10n ** 18n)
})
afterAll(() => service.stop())

const callRpc = (method: string, ...params: ReadonlyArray<unknown>) =>
  askChain(service.chains.rpcUrl(1), method, ...params)

/** Creates a wallet of a new owner, funded with 1,000 USDC for gas and 1 ETH to send. */
const createWallet = async (): Promise<TestWallet> => {
  const privateKey = generatePrivateKey()
  const owner = privateKeyToAccount(privateKey).address.toLowerCase()
  const { factory } = honestWallet
  const { body } = await service.request("POST", "/api/v1/wallets/register", {
    externallyOwnedAccount: privateKeyToAccount(privateKey).address,
    factory,
    eip7702: false
  })
  const address = body.wallet.walletAddress
  await service.fund(address, USDC, 1_000_000_000n)
  await service.fund(address, "native", 10n ** 18n)
  return { ...honestWallet, address, owner, privateKey }
}

/** A contract that accepts native tokens until the test changes its code. */
const recipient = `0x${randomBytes(20).toString("hex")}`
const ACCEPTING_CODE = "0x00"
const REVERTING_CODE = "0x5f5ffd"

const requestQuote = (wallet: TestWallet, toAddress = recipient, payGasFeeToken = USDC) =>
  service.request("POST", "/api/v1/crypto/transfer", {
    walletAddress: wallet.address,
    chainId: 1,
    token: NATIVE,
    amount: "0.001",
    toAddress,
    gasFeePaymentMethod: "ADD_TO_AMOUNT",
    payGasFeeToken
  })

const execute = async (wallet: TestWallet, quoteResponse: Awaited<ReturnType<typeof requestQuote>>) => {
  assert.strictEqual(quoteResponse.status, 200, JSON.stringify(quoteResponse.body))
  const { signData, userOperationHash } = quoteResponse.body.transfer
  const signatures = await service.signatures(wallet.privateKey, signData)
  return service.request("POST", "/api/v1/crypto/execute-user-op", { userOperationHash, ...signatures })
}

const executeTransfer = async (wallet: TestWallet) => {
  const quoteResponse = await requestQuote(wallet, `0x${randomBytes(20).toString("hex")}`)
  const response = await execute(wallet, quoteResponse)
  assert.strictEqual(response.status, 200, JSON.stringify(response.body))
  const transaction = await service.settled(wallet.address, quoteResponse.body.transfer.userOperationHash)
  assert.strictEqual(transaction.status, "COMPLETED", JSON.stringify(transaction.failure))
}

const sumLostUsdE6 = async () => (await service.gasEntries()).reduce((sum, { usdE6 }) => sum + usdE6, 0n)

/** Waits until the operators' transactions in the mempool contain operations of all these wallets. */
const waitUntilPooled = (wallets: ReadonlyArray<TestWallet>) =>
  waitUntilTrue(async () => {
    const mempoolText = JSON.stringify(await callRpc("txpool_content"))
    return wallets.every(({ address }) => mempoolText.includes(address.slice(2)))
  })

/** Makes many new wallets execute an operation that passes simulation but reverts. Returns the rejections. */
const attack = async (attackerCount: number) => {
  await callRpc("anvil_setCode", recipient, ACCEPTING_CODE)
  const wallets: Array<TestWallet> = []
  for (let i = 0; i < attackerCount; i++) wallets.push(await createWallet())
  const quotes = await Promise.all(wallets.map((wallet) => requestQuote(wallet)))
  const quotedOperations = wallets.flatMap((wallet, i) =>
    quotes[i]!.status === 200 ? [{ wallet, quote: quotes[i]! }] : []
  )
  await callRpc("evm_setAutomine", false)
  const attempts = await Promise.all(
    quotedOperations.map(async (one) => ({ ...one, answer: await execute(one.wallet, one.quote) }))
  )
  const acceptedOperations = attempts.filter(({ answer: response }) => response.status === 200)
  await waitUntilPooled(acceptedOperations.map(({ wallet }) => wallet))
  await callRpc("anvil_setCode", recipient, REVERTING_CODE)
  await callRpc("evm_setAutomine", true)
  await callRpc("anvil_mine", "0x1")
  for (const acceptedOperation of acceptedOperations) {
    const { status } = await service.settled(
      acceptedOperation.wallet.address,
      acceptedOperation.quote.body.transfer.userOperationHash
    )
    assert.strictEqual(status, "FAILED")
  }
  const refusals = [...quotes, ...attempts.map(({ answer: response }) => response)].filter(
    ({ status }) => status !== 200
  )
  for (const { body, headers, status } of refusals) {
    assert.deepStrictEqual([status, body.id], [429, "UNPAID_GAS_LIMIT"], JSON.stringify(body))
    assert.isTrue(Number(headers.get("retry-after")) > 0)
  }
  return { accepted: acceptedOperations.length, refused: refusals.length }
}

describe(`${ATTACKER_COUNT} concurrent new wallets, whose recipient begins to revert`, () => {
  it("cost no more than the project's budget, also if repeated, and wallets that have paid before are still served", async () => {
    await executeTransfer(honestWallet)
    const firstAttack = await attack(ATTACKER_COUNT)
    assert.isTrue(firstAttack.accepted > 0 && firstAttack.refused > 0, JSON.stringify(firstAttack))
    for (let wave = 0; (await attack(12)).accepted > 0; wave++) assert.isBelow(wave, 10)
    const unpaidUsdE6 = await sumLostUsdE6()
    assert.isTrue(unpaidUsdE6 > BUDGET_USD_E6 / 2n && unpaidUsdE6 <= BUDGET_USD_E6, String(unpaidUsdE6))
    await executeTransfer(honestWallet)
  })

  it("do not prevent a new wallet from paying in native tokens, and no longer count after some time", async () => {
    const wallet = await createWallet()
    const refusal = await requestQuote(wallet)
    assert.strictEqual(refusal.status, 429, JSON.stringify(refusal.body))
    assert.include(refusal.body.message, "This project")
    const nativeTokenQuote = await requestQuote(wallet, recipient, NATIVE)
    assert.strictEqual(nativeTokenQuote.status, 200, JSON.stringify(nativeTokenQuote.body))
    await service.advanceClock(Number(refusal.headers.get("retry-after")))
    await executeTransfer(wallet)
  })
})
