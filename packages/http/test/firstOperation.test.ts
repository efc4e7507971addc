import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { createPublicClient, getAddress, http, parseUnits } from "viem"
import { entryPoint07Address, entryPoint08Address, getUserOperationHash } from "viem/account-abstraction"
import { privateKeyToAccount, type SignAuthorizationReturnType } from "viem/accounts"
import { NATIVE, registerOneOfEachKind, swapOf, type TestWallet, USDC, WETH } from "./support/accounts.ts"
import { assertRefusal } from "./support/refusals.ts"
import { startTestService, type TestService } from "./support/testService.ts"
import { userOperationEvent } from "./support/userOperationEvent.ts"

/** Tests the complete flow over HTTP, on real contracts: register, quote, sign, execute, history. */

let service: TestService
let wallets: ReadonlyArray<TestWallet>
const kinds = ["SimpleAccount 0.7", "SimpleAccount 0.8", "Safe 1.4.1", "Simple7702Account"]

beforeAll(async () => {
  service = await startTestService()
  wallets = await registerOneOfEachKind(service)
})
afterAll(() => service.stop())

const walletOf = (kind: string) => wallets.find(({ name }) => name === kind)!

const quoteOf = async (wallet: TestWallet, changes: Record<string, unknown> = {}) => {
  const { body, status } = await service.request("POST", "/api/v1/crypto/swap", swapOf(wallet, changes))
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body.quotes[0]
}

const execute = async (wallet: TestWallet, quote: Awaited<ReturnType<typeof quoteOf>>) =>
  service.request("POST", "/api/v1/crypto/execute-user-op", {
    userOperationHash: quote.userOperationHash,
    ...(await service.signatures(wallet.privateKey, quote.signData))
  })

const makeClient = () => createPublicClient({ transport: http(service.chains.rpcUrl(1)) })

const readBalance = async (token: string, holder: string): Promise<bigint> =>
  token === NATIVE
    ? makeClient().getBalance({ address: holder as `0x${string}` })
    : makeClient().readContract({
        address: token as `0x${string}`,
        abi: [
          {
            type: "function",
            name: "balanceOf",
            stateMutability: "view",
            inputs: [{ type: "address" }],
            outputs: [{ type: "uint256" }]
          }
        ] as const,
        functionName: "balanceOf",
        args: [holder as `0x${string}`]
      })

/** Computes the hash of an operation from GET /crypto/user-operation/{hash} with an independent library. */
const recomputeHash = (operation: Record<string, never>): string => {
  const fields = operation as unknown as Record<string, string> & {
    readonly factory: {
      readonly address: `0x${string}` | null
      readonly data: `0x${string}` | null
      readonly entryPointVersion: "0.7" | "0.8"
    }
    readonly sender: { readonly walletAddress: `0x${string}` }
    readonly authorization?: { readonly address: `0x${string}`; readonly chainId: number; readonly nonce: number }
  }
  const { entryPointVersion } = fields.factory
  return getUserOperationHash({
    chainId: Number(fields.chainIdIn),
    entryPointAddress: entryPointVersion === "0.7" ? entryPoint07Address : entryPoint08Address,
    entryPointVersion,
    userOperation: {
      sender: fields.sender.walletAddress,
      nonce: BigInt(fields.nonce!),
      callData: fields.callData as `0x${string}`,
      callGasLimit: BigInt(fields.callGasLimit!),
      verificationGasLimit: BigInt(fields.verificationGasLimit!),
      preVerificationGas: BigInt(fields.preVerificationGas!),
      maxFeePerGas: BigInt(fields.maxFeePerGas!),
      maxPriorityFeePerGas: BigInt(fields.maxPriorityFeePerGas!),
      signature: "0x",
      ...(fields.factory.address === null ? {} : { factory: fields.factory.address }),
      ...(fields.factory.data === null ? {} : { factoryData: fields.factory.data }),
      ...(fields.authorization === undefined
        ? {}
        : { authorization: { ...fields.authorization, r: "0x", s: "0x", yParity: 0 } as never }),
      ...(fields.paymaster === null
        ? {}
        : {
            paymaster: fields.paymaster as `0x${string}`,
            paymasterData: fields.paymasterData as `0x${string}`,
            paymasterVerificationGasLimit: BigInt(fields.paymasterVerificationGasLimit!),
            paymasterPostOpGasLimit: BigInt(fields.paymasterPostOpGasLimit!)
          })
    }
  })
}

describe.each(kinds)("a first swap of a %s", (kind) => {
  it("is quoted, signed, executed and recorded in the history, with gas paid in the token", async () => {
    const wallet = walletOf(kind)
    const balanceBefore = await readBalance(USDC, wallet.address)
    const quote = await quoteOf(wallet, { metadata: { order: kind } })
    assert.isUndefined(quote.revertReason)

    const lookupResponse = await service.request("GET", `/api/v1/crypto/user-operation/${quote.userOperationHash}`)
    assert.strictEqual(lookupResponse.status, 200)
    assert.strictEqual(recomputeHash(lookupResponse.body.userOperation), quote.userOperationHash)
    assert.strictEqual(lookupResponse.body.userOperation.signature, null)

    const execution = await execute(wallet, quote)
    assert.strictEqual(execution.status, 200, JSON.stringify(execution.body))
    const transaction = await service.settled(wallet.address, quote.userOperationHash)
    assert.strictEqual(transaction.status, "COMPLETED", JSON.stringify(transaction.failure))
    assert.strictEqual(transaction.id, execution.body.transactionId)
    assert.strictEqual(transaction.type, "SWAP")
    assert.deepStrictEqual(transaction.metadata, { order: kind })
    assert.strictEqual(transaction.receivedAmount.amount, quote.amountOut)
    assert.strictEqual(transaction.receivedAmount.token.symbol, "WETH")
    assert.strictEqual(transaction.sentAmount.amount, "100")
    assert.match(transaction.transactionHash.hash, /^0x[0-9a-f]{64}$/u)

    assert.strictEqual(await readBalance(WETH, wallet.address), parseUnits(quote.amountOut, 18))
    const spentAmount = balanceBefore - (await readBalance(USDC, wallet.address))
    const maxAmount = parseUnits("100", 6) + parseUnits(quote.estimatedGasFees.maxGasFeeToken, 6)
    assert.isTrue(
      spentAmount > parseUnits("100", 6) && spentAmount <= maxAmount,
      `${spentAmount} of at most ${maxAmount}`
    )

    const walletResponse = await service.request("GET", `/api/v1/wallets/${wallet.address}`)
    const ethereumDeployment = walletResponse.body.wallet.deployed.find(
      ({ chain }: { readonly chain: { readonly id: number } }) => chain.id === 1
    )
    assert.strictEqual(ethereumDeployment.deployed, true)
    assert.isNotNull(walletResponse.body.wallet.lastTransactionAt)
  })

  it("is followed by a second one of the deployed account, with gas deducted from the amount", async () => {
    const wallet = walletOf(kind)
    const balanceBefore = await readBalance(USDC, wallet.address)
    const quote = await quoteOf(wallet, { gasFeePaymentMethod: "DEDUCT_FROM_AMOUNT", tokenOut: NATIVE })
    assert.isUndefined(quote.revertReason)
    assert.isUndefined(quote.authorization)
    // The first operation left an allowance for the fees of later operations.
    const paymaster = quote.fees.find(({ type }: { readonly type: string }) => type === "GAS").toAddress
    const approvalCalls = quote.preview.calls.filter(({ data }: { readonly data: string }) =>
      data.startsWith(`0x095ea7b3${paymaster.slice(2).padStart(64, "0")}`)
    )
    assert.lengthOf(approvalCalls, 0)
    const nativeBalanceBefore = await readBalance(NATIVE, wallet.address)
    assert.strictEqual((await execute(wallet, quote)).status, 200)
    const transaction = await service.settled(wallet.address, quote.userOperationHash)
    assert.strictEqual(transaction.status, "COMPLETED", JSON.stringify(transaction.failure))
    assert.strictEqual(
      (await readBalance(NATIVE, wallet.address)) - nativeBalanceBefore,
      parseUnits(quote.amountOut, 18)
    )
    const spentAmount = balanceBefore - (await readBalance(USDC, wallet.address))
    assert.isTrue(spentAmount <= parseUnits("100", 6), `spent ${spentAmount}`)
    const swappedAmount = parseUnits("100", 6) - parseUnits(quote.estimatedGasFees.maxGasFeeToken, 6)
    assert.isTrue(spentAmount > swappedAmount, `spent ${spentAmount}, swapped ${swappedAmount}`)
  })

  it("pays its gas in native tokens on request", async () => {
    const wallet = walletOf(kind)
    await service.fund(wallet.address, "native", 10n ** 18n)
    const quote = await quoteOf(wallet, { payGasFeeToken: NATIVE, tokenIn: NATIVE, amountIn: "0.1", tokenOut: USDC })
    assert.isUndefined(quote.revertReason)
    const balanceBefore = await readBalance(USDC, wallet.address)
    assert.strictEqual((await execute(wallet, quote)).status, 200)
    const transaction = await service.settled(wallet.address, quote.userOperationHash)
    assert.strictEqual(transaction.status, "COMPLETED", JSON.stringify(transaction.failure))
    assert.strictEqual((await readBalance(USDC, wallet.address)) - balanceBefore, parseUnits(quote.amountOut, 6))
  })
})

describe("fees", () => {
  it("are exact: gas, then transactionFeePercent, then extraFee, each of the whole amount", async () => {
    const wallet = walletOf("SimpleAccount 0.7")
    const treasury = service.chains.keys.treasury.address
    const partner = "0x00000000000000000000000000000000000000a1"
    const quote = await quoteOf(wallet, {
      amountIn: "1000.000001",
      gasFeePaymentMethod: "DEDUCT_FROM_AMOUNT",
      transactionFeePercent: 0.3,
      extraFee: { percentage: 1.25, toAddress: partner }
    })
    assert.strictEqual(quote.estimatedCollectedFee.collectedFee, "3")
    assert.strictEqual(quote.estimatedCollectedFee.collectedFeeToken, USDC)
    const feesByType = Object.fromEntries(quote.fees.map((fee: { readonly type: string }) => [fee.type, fee]))
    assert.deepStrictEqual(feesByType.SERVICE, {
      type: "SERVICE",
      token: USDC,
      currency: null,
      amount: "3",
      maxAmount: null,
      toAddress: treasury,
      percentage: "0.3"
    })
    assert.deepStrictEqual(feesByType.EXTRA, {
      type: "EXTRA",
      token: USDC,
      currency: null,
      amount: "12.5",
      maxAmount: null,
      toAddress: partner,
      percentage: "1.25"
    })
    const treasuryBefore = await readBalance(USDC, treasury)
    assert.strictEqual((await execute(wallet, quote)).status, 200)
    const transaction = await service.settled(wallet.address, quote.userOperationHash)
    assert.strictEqual(transaction.status, "COMPLETED", JSON.stringify(transaction.failure))
    assert.strictEqual(await readBalance(USDC, partner), 12_500_000n)
    // The treasury gets at least the fee. In the sandbox it also gets the paymaster's tokens.
    assert.isAtLeast(Number((await readBalance(USDC, treasury)) - treasuryBefore), 3_000_000)
  })

  it("are not charged without a treasury", async () => {
    const otherProject = await service.newProject(null)
    const wallet = walletOf("SimpleAccount 0.8")
    const headers = { "x-api-key": otherProject.apiKey }
    await service.request(
      "POST",
      "/api/v1/wallets/register",
      { externallyOwnedAccount: wallet.owner, factory: wallet.factory },
      headers
    )
    const { body } = await service.request(
      "POST",
      "/api/v1/crypto/swap",
      swapOf(wallet, { transactionFeePercent: 5 }),
      headers
    )
    assert.strictEqual(body.quotes[0].estimatedCollectedFee.collectedFee, "0")
    assert.deepStrictEqual(
      body.quotes[0].fees.map(({ type }: { readonly type: string }) => type),
      ["GAS"]
    )
  })
})

describe("execute", () => {
  it("returns the same response to a repeated signature and puts one operation on chain", async () => {
    const wallet = walletOf("SimpleAccount 0.8")
    const quote = await quoteOf(wallet)
    const allResponses = await Promise.all([execute(wallet, quote), execute(wallet, quote), execute(wallet, quote)])
    await service.settled(wallet.address, quote.userOperationHash)
    allResponses.push(await execute(wallet, quote))
    for (const response of allResponses) {
      assert.strictEqual(response.status, 200, JSON.stringify(response.body))
      assert.deepStrictEqual(response.body, allResponses[0]!.body)
    }
    const logs = await makeClient().getLogs({
      address: entryPoint08Address,
      event: userOperationEvent,
      args: { userOpHash: quote.userOperationHash },
      fromBlock: 0n
    })
    assert.strictEqual(logs.length, 1)
  })

  it("executes many concurrent operations of one wallet, each with its own nonce key", async () => {
    const wallet = walletOf("SimpleAccount 0.7")
    const quotes = await Promise.all(
      [1, 2, 3, 4, 5].map((dollars) => quoteOf(wallet, { amountIn: String(dollars), slippage: 5 }))
    )
    const responses = await Promise.all(quotes.map((quote) => execute(wallet, quote)))
    for (const response of responses) assert.strictEqual(response.status, 200, JSON.stringify(response.body))
    const settledTransactions = await Promise.all(
      quotes.map((quote) => service.settled(wallet.address, quote.userOperationHash))
    )
    for (const transaction of settledTransactions) assert.strictEqual(transaction.status, "COMPLETED")
  })

  it("returns INVALID_SIGNATURE with both addresses for another signer", async () => {
    const wallet = walletOf("SimpleAccount 0.7")
    const otherWallet = walletOf("Safe 1.4.1")
    const quote = await quoteOf(wallet)
    const { body, status } = await execute({ ...wallet, privateKey: otherWallet.privateKey }, quote)
    assert.strictEqual(status, 400)
    assert.strictEqual(body.id, "INVALID_SIGNATURE")
    assert.include(body.message, wallet.owner)
    assert.include(body.message, otherWallet.owner)
  })

  it("returns INVALID_SIGNATURE for malformed signatures", async () => {
    const quote = await quoteOf(walletOf("SimpleAccount 0.7"))
    const { body, status } = await service.request("POST", "/api/v1/crypto/execute-user-op", {
      userOperationHash: quote.userOperationHash,
      signature: "0x1234"
    })
    assert.strictEqual(status, 400)
    assert.strictEqual(body.id, "INVALID_SIGNATURE")
  })

  it("returns USER_OPERATION_NOT_FOUND for an unknown hash, and for a hash of another project", async () => {
    const unknownHash = `0x${"11".repeat(32)}`
    const quote = await quoteOf(walletOf("SimpleAccount 0.7"))
    const otherProject = await service.newProject(null)
    const ownResponse = await service.request("GET", `/api/v1/crypto/user-operation/${unknownHash}`)
    const otherResponse = await service.request(
      "GET",
      `/api/v1/crypto/user-operation/${quote.userOperationHash}`,
      undefined,
      {
        "x-api-key": otherProject.apiKey
      }
    )
    assert.strictEqual(ownResponse.status, 404)
    assert.strictEqual(otherResponse.status, 404)
    assert.strictEqual(otherResponse.body.id, "USER_OPERATION_NOT_FOUND")
    assert.strictEqual(
      otherResponse.body.message,
      ownResponse.body.message.replace(unknownHash, quote.userOperationHash)
    )
  })

  it("returns QUOTE_STALE and sends nothing if the operation would revert now", async () => {
    const wallet = walletOf("SimpleAccount 0.7")
    const quote = await quoteOf(wallet, { amountIn: "900000" })
    const drainingQuote = await quoteOf(wallet, { amountIn: "500000", slippage: 50 })
    assert.strictEqual((await execute(wallet, drainingQuote)).status, 200)
    await service.settled(wallet.address, drainingQuote.userOperationHash)
    const { body, status } = await execute(wallet, quote)
    assert.strictEqual(status, 409)
    assert.strictEqual(body.id, "QUOTE_STALE")
    assert.isNotEmpty(body.revertReason.decoded)
    const page = await service.request(
      "GET",
      `/api/v1/wallets/${wallet.address}/history?userOperationHash=${quote.userOperationHash}`
    )
    assert.deepStrictEqual(page.body.transactions, [])
  })

  it("returns AUTHORIZATION_STALE with a new tuple once the owner's nonce has changed", async () => {
    const owner = service.chains.keys.owners[0]!
    const registration = await service.request("POST", "/api/v1/wallets/register", {
      externallyOwnedAccount: owner.address,
      factory: walletOf("Simple7702Account").factory,
      eip7702: true
    })
    const wallet = {
      ...walletOf("Simple7702Account"),
      address: registration.body.wallet.walletAddress,
      privateKey: owner.privateKey
    }
    await service.fund(wallet.address, USDC, 1_000_000_000n)
    const quote = await quoteOf(wallet)
    await makeClient().request({ method: "anvil_setNonce" as never, params: [owner.address, "0x7"] as never })
    const { body, status } = await execute(wallet, quote)
    assert.strictEqual(status, 409)
    assert.strictEqual(body.id, "AUTHORIZATION_STALE")
    assert.strictEqual(body.authorization.nonce, 7)
    assert.strictEqual(getAddress(body.authorization.address), getAddress(wallet.factory))

    const { chainId, ...authorizationFields } = body.authorization
    const freshAuthorization = await privateKeyToAccount(owner.privateKey).signAuthorization({
      ...authorizationFields,
      chainId
    })
    const oldSignatures = await service.signatures(wallet.privateKey, quote.signData)
    const executionBody = { ...oldSignatures, userOperationHash: quote.userOperationHash }
    const otherSigner = privateKeyToAccount(service.chains.keys.owners[1]!.privateKey)
    const foreignAuthorization = await otherSigner.signAuthorization({ ...authorizationFields, chainId })
    const omitV = ({ v: _, ...rest }: SignAuthorizationReturnType) => rest
    const send = (authorization: object) =>
      service.request("POST", "/api/v1/crypto/execute-user-op", { ...executionBody, authorization })
    assertRefusal(await send(omitV(foreignAuthorization)), 400, "INVALID_SIGNATURE", /authorization/u)
    assert.strictEqual((await send(omitV(freshAuthorization))).status, 200)
    assert.strictEqual((await service.settled(wallet.address, quote.userOperationHash)).status, "COMPLETED")
  })

  it("accepts the authorization under its hash as viem signs it", async () => {
    const owner = service.chains.keys.owners[1]!
    const registration = await service.request("POST", "/api/v1/wallets/register", {
      externallyOwnedAccount: owner.address,
      factory: walletOf("Simple7702Account").factory,
      eip7702: true
    })
    const wallet = { ...walletOf("Simple7702Account"), address: registration.body.wallet.walletAddress }
    await service.fund(wallet.address, USDC, 1_000_000_000n)
    const quote = await quoteOf(wallet)
    const { signature } = await service.signatures(owner.privateKey, quote.signData)
    const { authorization, hash } = quote.signData.find(
      ({ type }: { readonly type: string }) => type === "AUTHORIZATION"
    )
    const { v: _, ...signedAuthorization } = await privateKeyToAccount(owner.privateKey).signAuthorization(
      authorization
    )
    const send = (authorizationValue: unknown) =>
      service.request("POST", "/api/v1/crypto/execute", {
        quoteId: quote.quoteId,
        signatures: { [quote.userOperationHash]: signature, [hash]: authorizationValue }
      })
    assertRefusal(await send(7), 400, "BAD_REQUEST", /Expected bytes in hexadecimal, or an authorization/u)
    const acceptResponse = await send(signedAuthorization)
    assert.strictEqual(acceptResponse.status, 200, JSON.stringify(acceptResponse.body))
    assert.strictEqual((await service.settled(wallet.address, quote.userOperationHash)).status, "COMPLETED")
  })

  it("returns USER_OPERATION_EXPIRED after the quote's expiry", async () => {
    const wallet = walletOf("SimpleAccount 0.8")
    const quote = await quoteOf(wallet)
    await service.advanceClock(61)
    const { body, status } = await execute(wallet, quote)
    assert.strictEqual(status, 400)
    assert.strictEqual(body.id, "USER_OPERATION_EXPIRED")
    const secondQuote = await quoteOf(wallet)
    assert.strictEqual((await execute(wallet, secondQuote)).status, 200)
    assert.strictEqual((await service.settled(wallet.address, secondQuote.userOperationHash)).status, "COMPLETED")
  })
})
