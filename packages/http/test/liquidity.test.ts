import { randomBytes } from "node:crypto"
import { createClient } from "@countersign/http/client"
import { verifyQuote } from "@countersign/http/verify"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { createPublicClient, erc20Abi, type Hex, http, parseUnits } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { NATIVE, positionOf, registerOneOfEachKind, type TestWallet, USDC, WETH } from "./support/accounts.ts"
import { allowanceOf, balanceOf } from "./support/balances.ts"
import { startTestService, type TestService } from "./support/testService.ts"

/** Tests operations on positions over HTTP, on real contracts. */

const PATH = "/api/v1/liquidity"
const LINK = "0x514910771af9ca656af840dff83e8264ecf986ca"
const WBTC = "0x2260fac5e5542a773aa44fbcfedf7c193bc2c599"
const GNOSIS_USDC = "0xddafbb505ad214d7b80b1f830fccc89b60fb7a83"
const USDY = "0x96f6ef951840721adbf46ac996b59e0235cb985c"
const ROUTER = "0x68b3465833fb72a70ecdf485e0e4c7bd8665fc45"
const MANAGER = "0xc36442b4a4522e871399cd717abdd847ab11fe88"
const UNIVERSAL_ROUTER = "0x66a9893cc07d91d95644aedd05d03f95e1dba8af"

let service: TestService
let wallets: ReadonlyArray<TestWallet>

// biome-ignore lint/suspicious/noExplicitAny: the tests read bodies as a client without generated types does.
type Body = any

beforeAll(async () => {
  service = await startTestService()
  wallets = await registerOneOfEachKind(service)
})
afterAll(() => service.stop())

const kinds = ["SimpleAccount 0.7", "SimpleAccount 0.8", "Safe 1.4.1", "Simple7702Account"]
const walletOf = (kind: string) => wallets.find(({ name }) => name === kind)!
const randomAddress = () => `0x${randomBytes(20).toString("hex")}`

const requestQuote = async (path: string, body: Body): Promise<Body> => {
  const response = await service.request("POST", path, body)
  assert.strictEqual(response.status, 200, JSON.stringify(response.body))
  const { operation } = response.body
  assert.isUndefined(operation.revertReason, JSON.stringify(operation.revertReason))
  return operation
}

const executeAndWait = async (wallet: TestWallet, operation: Body): Promise<Body> => {
  const { body, status } = await service.request("POST", "/api/v1/crypto/execute-user-op", {
    userOperationHash: operation.userOperationHash,
    ...(await service.signatures(wallet.privateKey, operation.signData))
  })
  assert.strictEqual(status, 200, JSON.stringify(body))
  const transaction = await service.settled(wallet.address, operation.userOperationHash)
  assert.strictEqual(transaction.status, "COMPLETED", JSON.stringify(transaction.failure))
  return transaction
}

const assertNoAllowances = async (wallet: TestWallet, tokens: ReadonlyArray<string>) => {
  for (const token of tokens) {
    for (const spender of [ROUTER, MANAGER, UNIVERSAL_ROUTER]) {
      assert.strictEqual(await allowanceOf(service, token, wallet.address, spender), 0n)
    }
  }
}

const gnosisUsdcOf = (holder: string): Promise<bigint> =>
  createPublicClient({ transport: http(service.chains.rpcUrl(100)) }).readContract({
    address: GNOSIS_USDC,
    abi: erc20Abi,
    functionName: "balanceOf",
    args: [holder as Hex]
  })

const feeOf = (operation: Body, type: string): Body => operation.fees.find((fee: Body) => fee.type === type)

const listHistory = async (wallet: TestWallet, query: string): Promise<ReadonlyArray<Body>> =>
  (await service.request("GET", `/api/v1/wallets/${wallet.address}/history?${query}`)).body.transactions

describe.each(kinds)("a position of a %s", (kind) => {
  it("is created, increased, rebalanced and withdrawn, to the last unit, and the history contains each operation", async () => {
    const wallet = walletOf(kind)
    await service.fund(wallet.address, "native", 3n * 10n ** 18n)
    const isNativeToken = kind === "SimpleAccount 0.8"
    const extraReceiver = randomAddress()

    const creationQuote = await requestQuote(
      PATH,
      positionOf(wallet, {
        ...(isNativeToken ? { tokenIn: NATIVE, payGasFeeToken: NATIVE, amountIn: "1" } : {}),
        gasFeePaymentMethod: kind === "Safe 1.4.1" || isNativeToken ? "DEDUCT_FROM_AMOUNT" : "ADD_TO_AMOUNT",
        transactionFeePercent: 0.5,
        extraFee: { percentage: 1.25, toAddress: extraReceiver },
        metadata: { order: kind }
      })
    )
    assert.strictEqual(creationQuote.amounts, `${creationQuote.amount0},${creationQuote.amount1}`)
    assert.isAtMost(Number(creationQuote.range.minPrice), 2500)
    assert.isAtLeast(Number(creationQuote.range.maxPrice), 3600)
    assert.isFalse(creationQuote.poolCreated)
    const creationTransaction = await executeAndWait(wallet, creationQuote)
    assert.strictEqual(creationTransaction.type, "LIQUIDITY_CREATE")
    const { positionId, tokenId } = creationTransaction.liquidity
    assert.match(tokenId, /^\d+$/u)
    assert.strictEqual(positionId, tokenId)
    assert.deepStrictEqual(creationTransaction.metadata, { order: kind, positionId })
    assert.strictEqual(
      await balanceOf(service, isNativeToken ? NATIVE : USDC, extraReceiver),
      parseUnits(feeOf(creationQuote, "EXTRA").amount, isNativeToken ? 18 : 6)
    )
    await assertNoAllowances(wallet, [USDC, WETH])

    const additionQuote = await requestQuote(`${PATH}/add`, {
      walletAddress: wallet.address,
      chainId: 1,
      tokenId,
      minPrice: Number(creationQuote.range.minPrice),
      maxPrice: Number(creationQuote.range.maxPrice),
      tokenIn: USDC,
      amountIn: "250.5",
      gasFeePaymentMethod: "ADD_TO_AMOUNT",
      payGasFeeToken: USDC,
      metadata: { order: "2" }
    })
    assert.strictEqual(additionQuote.tokenId, tokenId)
    const additionTransaction = await executeAndWait(wallet, additionQuote)
    assert.deepStrictEqual(Object.entries(additionTransaction.metadata), [
      ["order", "2"],
      ["positionId", positionId]
    ])
    assert.deepStrictEqual(
      [additionTransaction.type, additionTransaction.liquidity],
      ["LIQUIDITY_ADD", { tokenId, positionId }]
    )
    await assertNoAllowances(wallet, [USDC, WETH])

    const rebalanceQuote = await requestQuote(`${PATH}/rebalance`, {
      walletAddress: wallet.address,
      toAddress: wallet.address,
      chainId: 1,
      tokenId,
      newPosition: { minPrice: 0.0003, maxPrice: 0.0005 },
      transactionFeePercent: 0.1,
      payGasFeeToken: USDC
    })
    const rebalanceTransaction = await executeAndWait(wallet, rebalanceQuote)
    assert.strictEqual(rebalanceTransaction.type, "LIQUIDITY_REBALANCE")
    assert.notStrictEqual(rebalanceTransaction.liquidity.tokenId, tokenId)
    assert.strictEqual(rebalanceTransaction.liquidity.positionId, positionId)
    await assertNoAllowances(wallet, [USDC, WETH])

    const receiver = randomAddress()
    const halfQuote = await requestQuote(`${PATH}/withdraw`, {
      walletAddress: wallet.address,
      toAddress: receiver,
      chainId: 1,
      tokenId: rebalanceTransaction.liquidity.tokenId,
      tokenOut: isNativeToken ? NATIVE : USDC,
      percentage: 50,
      transactionFeePercent: 0.3,
      payGasFeeToken: USDC
    })
    const withdrawalTransaction = await executeAndWait(wallet, halfQuote)
    assert.strictEqual(withdrawalTransaction.type, "LIQUIDITY_WITHDRAW")
    assert.strictEqual(withdrawalTransaction.receivedAmount.amount, halfQuote.amountOut)
    assert.isAbove(Number(feeOf(halfQuote, "SERVICE").amount), 0)
    assert.strictEqual(feeOf(withdrawalTransaction, "SERVICE").amount, feeOf(halfQuote, "SERVICE").amount)
    assert.strictEqual(
      await balanceOf(service, isNativeToken ? NATIVE : USDC, receiver),
      parseUnits(halfQuote.amountOut, isNativeToken ? 18 : 6)
    )
    const remainderQuote = await requestQuote(`${PATH}/withdraw`, {
      walletAddress: wallet.address,
      toAddress: wallet.address,
      chainId: 1,
      tokenId: rebalanceTransaction.liquidity.tokenId,
      tokenOut: LINK,
      percentage: 100,
      payGasFeeToken: USDC
    })
    assert.isTrue(remainderQuote.burned)
    const balanceBefore = await balanceOf(service, LINK, wallet.address)
    await executeAndWait(wallet, remainderQuote)
    assert.strictEqual(
      (await balanceOf(service, LINK, wallet.address)) - balanceBefore,
      parseUnits(remainderQuote.amountOut, 18)
    )

    const positionHistory = await listHistory(wallet, `metadataKey=positionId&metadataValue=${positionId}`)
    assert.deepStrictEqual(
      positionHistory.map(({ type }) => type),
      ["LIQUIDITY_WITHDRAW", "LIQUIDITY_WITHDRAW", "LIQUIDITY_REBALANCE", "LIQUIDITY_ADD", "LIQUIDITY_CREATE"]
    )
    // Compares only ids, because the status of the legs changes in the meantime.
    const readIdsBy = async (query: string) => (await listHistory(wallet, query)).map(({ id }) => id)
    const ids = positionHistory.map(({ id }) => id)
    assert.deepStrictEqual(await readIdsBy(`nftNumber=${tokenId}`), ids)
    const secondPositionQuery = `nftNumber=${rebalanceTransaction.liquidity.tokenId}`
    assert.deepStrictEqual(await readIdsBy(secondPositionQuery), ids.slice(0, 3))
    assert.deepStrictEqual(
      await readIdsBy(`${secondPositionQuery}&metadataKey=positionId&metadataValue=${positionId}`),
      ids
    )
  })
})

describe("an invalid position request", () => {
  const requestRefusal = async (path: string, body: Body) => {
    const response = await service.request("POST", path, body)
    return { status: response.status, body: response.body as Body }
  }
  const getWallet = () => walletOf(kinds[0]!)
  let tokenId: string

  beforeAll(async () => {
    const operation = await requestQuote(PATH, positionOf(getWallet(), { toAddress: walletOf(kinds[3]!).address }))
    tokenId = (await executeAndWait(getWallet(), operation)).liquidity.tokenId
  })

  it.each([
    ["an unknown fee tier", { poolFeePercent: 0.31 }, "poolFeePercent", /0\.01, 0\.05, 0\.3, 1/u],
    ["a fee tier with more digits than there are", { poolFeePercent: 0.30001 }, "poolFeePercent", /0\.01, 0\.05/u],
    ["min above max", { minPrice: 4000, maxPrice: 3000 }, "maxPrice", /4000/u],
    ["min equal to max", { minPrice: 3000, maxPrice: 3000 }, "maxPrice", /3000/u],
    [
      "a range beyond every tick",
      { minPrice: 1e60, maxPrice: 1e80 },
      "minPrice",
      /contains no price that this pool can have/u
    ],
    [
      "a range below every tick",
      { minPrice: 0, maxPrice: 1e-60 },
      "maxPrice",
      /contains no price that this pool can have/u
    ],
    ["a negative price", { minPrice: -1 }, "minPrice", /greater than or equal to 0/u],
    ["a price that is not a number", { maxPrice: "3000" }, "maxPrice", /number/u],
    ["the same token twice", { token0: USDC }, "token1", /the same token/u],
    ["the native token and its wrapped form", { token0: NATIVE, token1: WETH }, "token1", /the same token/u],
    ["no amount", { amountIn: "0" }, "amountIn", /above zero/u],
    ["too small an amount", { amountIn: "0.000001" }, "amountIn", /too small/u],
    [
      "fees that take all",
      { transactionFeePercent: 60, extraFee: { percentage: 40, toAddress: WETH } },
      "extraFee",
      /equal or exceed the amount|together must be less/u
    ],
    [
      "gas out of an amount of another token",
      { gasFeePaymentMethod: "DEDUCT_FROM_AMOUNT", payGasFeeToken: NATIVE },
      "gasFeePaymentMethod",
      /tokenIn/u
    ],
    ["another provider", { liquidityProvider: "LIQUIDITY_PROVIDER_V4" }, "liquidityProvider", /LIQUIDITY_PROVIDER_V3/u],
    ["Bitcoin", { chainId: 0 }, "chainId", /./u],
    ["a slippage of 100", { slippage: 100 }, "slippage", /99/u],
    [
      "a new pool that would start outside of its range",
      { poolFeePercent: 0.01, minPrice: 5000, maxPrice: 6000 },
      "minPrice",
      /would start at/u
    ],
    [
      "more than the pools can take",
      { amountIn: "900000000", minPrice: 4000, maxPrice: 5000 },
      "amountIn",
      /has a price impact of/u
    ],
    [
      "an amount whose swap leaves the pool far from the market",
      { token0: LINK, poolFeePercent: 1, minPrice: 15, maxPrice: 25, amountIn: "900000" },
      "amountIn",
      /differs by 2\d\.\d+ % from the market price/u
    ]
  ])("is rejected: %s", async (_, changes, field, sentence) => {
    const { body, status } = await requestRefusal(PATH, positionOf(getWallet(), changes))
    assert.strictEqual(status, 400, JSON.stringify(body))
    assert.strictEqual(body.id, "BAD_REQUEST")
    assert.strictEqual(body.errors[0].path, `body.${field}`, JSON.stringify(body))
    assert.match(body.errors[0].message, sentence)
  })

  const changeRequestOf = (path: string, changes: Body): Body => ({
    walletAddress: walletOf(kinds[3]!).address,
    chainId: 1,
    tokenId,
    payGasFeeToken: USDC,
    ...(path === "add"
      ? { minPrice: 2500, maxPrice: 3600, tokenIn: USDC, amountIn: "10", gasFeePaymentMethod: "ADD_TO_AMOUNT" }
      : { toAddress: getWallet().address }),
    ...(path === "withdraw" ? { tokenOut: USDC, percentage: 10 } : {}),
    ...(path === "rebalance" ? { newPosition: { minPrice: 0.0003, maxPrice: 0.0005 } } : {}),
    ...changes
  })

  it.each([
    ["add", "a position of another wallet", () => ({ walletAddress: getWallet().address }), "tokenId", /belongs to/u],
    ["add", "another range than its own", () => ({ minPrice: 2000 }), "minPrice", /is between/u],
    ["add", "no position at all", () => ({ tokenId: "99999999" }), "tokenId", /no Uniswap V3 position/u],
    ["add", "a token id that is no number", () => ({ tokenId: "0x1" }), "tokenId", /decimal digits/u],
    ["add", "a number above those of all NFTs", () => ({ tokenId: String(2n ** 256n) }), "tokenId", /below 2\^256/u],
    ["rebalance", "a number with leading zeros", () => ({ tokenId: `00${tokenId}` }), "tokenId", /leading zeros/u],
    [
      "withdraw",
      "a position of another wallet",
      () => ({ walletAddress: getWallet().address }),
      "tokenId",
      /belongs to/u
    ],
    ["withdraw", "nothing of it", () => ({ percentage: 0 }), "percentage", /0\.01/u],
    ["withdraw", "more than all of it", () => ({ percentage: 100.01 }), "percentage", /100/u],
    [
      "withdraw",
      "a position of another chain",
      () => ({ chainId: 8453, tokenOut: NATIVE, payGasFeeToken: NATIVE }),
      "tokenId",
      /no Uniswap V3 position/u
    ],
    [
      "withdraw",
      "a router's constant as its receiver",
      () => ({ toAddress: `0x${"0".repeat(39)}2` }),
      "toAddress",
      /./u
    ],
    [
      "withdraw",
      "a router's constant as the receiver of a fee",
      () => ({ extraFee: { percentage: 1, toAddress: `0x${"0".repeat(39)}2` } }),
      "extraFee.toAddress",
      /Routers interpret/u
    ],
    [
      "rebalance",
      "a position of another wallet",
      () => ({ walletAddress: getWallet().address }),
      "tokenId",
      /belongs to/u
    ],
    [
      "rebalance",
      "an empty range",
      () => ({ newPosition: { minPrice: 2, maxPrice: 1 } }),
      "newPosition.maxPrice",
      /minPrice/u
    ],
    [
      "rebalance",
      "no tick",
      () => ({ newPosition: { minPrice: 1e70, maxPrice: 1e80 } }),
      "newPosition.minPrice",
      /contains no price that this pool can have/u
    ]
  ])("%s is rejected: %s", async (path, _, changes, field, sentence) => {
    const { body, status } = await requestRefusal(`${PATH}/${path}`, changeRequestOf(path, changes()))
    assert.strictEqual(status, 400, JSON.stringify(body))
    assert.strictEqual(body.errors[0].path, `body.${field}`, JSON.stringify(body))
    assert.match(body.errors[0].message, sentence)
  })

  it("names unlisted tokens, unregistered wallets, and real-world assets", async () => {
    const unlistedRefusal = await requestRefusal(PATH, positionOf(getWallet(), { token0: randomAddress() }))
    assert.deepStrictEqual([unlistedRefusal.status, unlistedRefusal.body.id], [400, "NOT_AUTHORIZED_TOKENS"])
    const unknownWalletRefusal = await requestRefusal(PATH, positionOf(getWallet(), { walletAddress: randomAddress() }))
    assert.deepStrictEqual(
      [unknownWalletRefusal.status, unknownWalletRefusal.body.id],
      [404, "ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT"]
    )
    const assetRefusal = await requestRefusal(PATH, positionOf(getWallet(), { token0: USDY, poolFeePercent: 0.05 }))
    assert.deepStrictEqual([assetRefusal.status, assetRefusal.body.id], [400, "INDIVIDUAL_VERIFICATION_REQUIRED"])
  })

  it("returns a revertReason instead of an HTTP error if the wallet's balance is too low", async () => {
    const response = await service.request("POST", PATH, positionOf(getWallet(), { tokenIn: WBTC, amountIn: "0.1" }))
    assert.strictEqual(response.status, 200, JSON.stringify(response.body))
    assert.match(response.body.operation.revertReason.decoded, /missing/u)
  })

  it("has a warning for its price impact, and is rejected above the limit unless the caller accepts it", async () => {
    const largePosition = { token0: LINK, poolFeePercent: 1, minPrice: 19, maxPrice: 1000, amountIn: "900000" }
    const { body, status } = await requestRefusal(PATH, positionOf(getWallet(), largePosition))
    assert.strictEqual(status, 400, JSON.stringify(body))
    assert.strictEqual(body.errors[0].code, "price_impact")
    const operation = await requestQuote(PATH, positionOf(getWallet(), { ...largePosition, acceptPriceImpact: true }))
    assert.match(operation.warnings.join(" "), /has a price impact of/u)
  })

  it("is quoted in a pool that does not exist yet, which starts at the market price", async () => {
    const owner = walletOf(kinds[1]!)
    const operation = await requestQuote(
      PATH,
      positionOf(owner, {
        token0: LINK,
        token1: WBTC,
        poolFeePercent: 0.05,
        minPrice: 0,
        maxPrice: 1e40,
        amountIn: "100"
      })
    )
    assert.isTrue(operation.poolCreated)
    const { liquidity } = await executeAndWait(owner, operation)
    const withdrawalQuote = await requestQuote(`${PATH}/withdraw`, {
      walletAddress: owner.address,
      toAddress: owner.address,
      chainId: 1,
      tokenId: liquidity.tokenId,
      tokenOut: USDC,
      percentage: 100,
      payGasFeeToken: USDC
    })
    assert.isAbove(Number(withdrawalQuote.amountOut), 98)
  })

  it("can be withdrawn on a chain without a Universal Router, but not rebalanced", async () => {
    const { chainId, token0, token1, usdc } = {
      chainId: 100,
      token0: NATIVE,
      token1: GNOSIS_USDC,
      usdc: GNOSIS_USDC
    } as const
    const owner = walletOf(kinds[0]!)
    await service.fundOn(chainId, owner.address, usdc, 10_000_000_000n)
    await service.fundOn(chainId, owner.address, "native", 10n ** 20n)
    const gnosisFields = { chainId, payGasFeeToken: NATIVE }
    const creationRequest = positionOf(owner, {
      ...gnosisFields,
      tokenIn: usdc,
      token0,
      token1,
      minPrice: 0.8,
      maxPrice: 1.2
    })
    const { liquidity } = await executeAndWait(owner, await requestQuote(PATH, creationRequest))
    const position = { ...gnosisFields, walletAddress: owner.address, tokenId: liquidity.tokenId }
    const withdrawal = { ...position, tokenOut: usdc, transactionFeePercent: 0.5 }
    const receiver = randomAddress()
    const halfQuote = await requestQuote(`${PATH}/withdraw`, { ...withdrawal, toAddress: receiver, percentage: 50 })
    await executeAndWait(owner, halfQuote)
    assert.strictEqual(await gnosisUsdcOf(receiver), parseUnits(halfQuote.amountOut, 6))
    const remainderQuote = await requestQuote(`${PATH}/withdraw`, {
      ...withdrawal,
      toAddress: owner.address,
      percentage: 100
    })
    const previousBalance = await gnosisUsdcOf(owner.address)
    await executeAndWait(owner, remainderQuote)
    assert.strictEqual((await gnosisUsdcOf(owner.address)) - previousBalance, parseUnits(remainderQuote.amountOut, 6))
    const secondTransaction = await executeAndWait(owner, await requestQuote(PATH, creationRequest))
    const rebalanceRefusal = await requestRefusal(`${PATH}/rebalance`, {
      ...position,
      tokenId: secondTransaction.liquidity.tokenId,
      toAddress: owner.address,
      newPosition: { minPrice: 0.5, maxPrice: 2 }
    })
    assert.deepStrictEqual([rebalanceRefusal.status, rebalanceRefusal.body.errors[0].path], [400, "body.chainId"])
  })

  it("fails with BLOCKCHAIN_ERROR for a rebalance, and with UPSTREAM_UNAVAILABLE otherwise, while the node is down", async () => {
    service.takeNodeDown(true)
    await service.restart()
    const rebalanceRefusal = await requestRefusal(`${PATH}/rebalance`, changeRequestOf("rebalance", {}))
    const additionRefusal = await requestRefusal(`${PATH}/add`, changeRequestOf("add", {}))
    service.takeNodeDown(false)
    await service.restart()
    assert.deepStrictEqual([rebalanceRefusal.status, rebalanceRefusal.body.id], [500, "BLOCKCHAIN_ERROR"])
    assert.deepStrictEqual([additionRefusal.status, additionRefusal.body.id], [502, "UPSTREAM_UNAVAILABLE"])
  })
})

describe("a liquidity operation", () => {
  it("is a method of the client, whose response can be verified and signed", async () => {
    const wallet = walletOf(kinds[2]!)
    const client = createClient({ url: service.baseUrl, apiKey: service.apiKey })
    const request = { ...positionOf(wallet), chainId: 1, gasFeePaymentMethod: "ADD_TO_AMOUNT" } as const
    const quote = await client.liquidity.create(request)
    const { address: walletAddress, factory, owner: externallyOwnedAccount } = wallet
    const verification = verifyQuote({
      request,
      quote,
      account: { walletAddress, factory, externallyOwnedAccount, salt: 0 },
      trust: { decimals: { [USDC]: 6 }, paymasters: Object.values(service.chains.paymasters) }
    })
    assert.isTrue(verification.ok, "the check does not pass it")
    const signedQuote = await quote.sign(privateKeyToAccount(wallet.privateKey))
    assert.strictEqual(signedQuote.quoteId, quote.quoteId)
    assert.sameMembers(
      Object.keys(signedQuote.signatures),
      quote.signData.map(({ hash }) => hash)
    )
  })
})
