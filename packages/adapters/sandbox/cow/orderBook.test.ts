import { Address, HexBytes } from "@countersign/core/foundation/primitives"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, ManagedRuntime } from "effect"
import { createPublicClient, createWalletClient, encodeFunctionData, erc20Abi, http, maxUint256 } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { cowContracts } from "../../src/chains/deployments/index.ts"
import { appDataHash, appDataText } from "../../src/exchanges/cow/appData.ts"
import { cancellationOf } from "../../src/exchanges/cow/gpv2Order.ts"
import { limitIntent } from "../../src/exchanges/cow/limitIntent.ts"
import { SandboxChains, sandboxTokens } from "../index.ts"

/** Tests that the sandbox's order book rejects requests with the status and `errorType` of CoW Protocol's API. */

const tokenOf = (symbol: string) => sandboxTokens(1).find((token) => token.symbol === symbol)!.address
const [USDC, WETH] = [tokenOf("USDC"), tokenOf("WETH")]
const NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"

const sandboxRuntime = ManagedRuntime.make(SandboxChains.layerTemporary)
let chains: SandboxChains["Service"]
let owner: Address
let key: `0x${string}`

beforeAll(async () => {
  chains = await sandboxRuntime.runPromise(SandboxChains)
  const [first] = chains.keys.owners
  owner = first!.address
  key = first!.privateKey
  await Effect.runPromise(
    Effect.andThen(chains.setSolver({ isSolving: false }), chains.fund(1, owner, USDC, 10n ** 9n))
  )
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: "approve",
    args: [cowContracts.vaultRelayer, maxUint256]
  })
  const transport = http(chains.rpcUrl(1))
  const wallet = createWalletClient({ account: owner, transport })
  const hash = await wallet.sendTransaction({ chain: null, to: USDC, data })
  await createPublicClient({ transport }).waitForTransactionReceipt({ hash, pollingInterval: 50 })
})
afterAll(() => sandboxRuntime.dispose())

const request = async (method: string, path: string, body?: unknown) => {
  const response = await fetch(`${chains.gatewayUrl}/cow/mainnet/api${path}`, {
    method,
    headers: { "content-type": "application/json" },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
  })
  const parsedBody = (await response.json()) as { readonly errorType?: string } | string
  return [response.status, typeof parsedBody === "string" ? parsedBody : (parsedBody.errorType ?? parsedBody)] as const
}

let salt = 0
const secondsFromNow = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds

/** Builds a signed body of POST /api/v1/orders. `changes` are applied after signing. */
const bodyOf = async (changes: Record<string, unknown> = {}, validFor = 3_600, buyToken: string = WETH) => {
  salt += 1
  const appData = appDataText([], HexBytes.make(`0x${salt.toString(16).padStart(16, "0")}`))
  const account = { address: owner, owner, factory: owner, implementation: owner, salt: 0, eip7702: true }
  const intent = limitIntent({
    account: { ...account, kind: "SIMPLE_7702" },
    chainId: 1,
    scheme: "EIP712",
    validTo: secondsFromNow(validFor),
    appDataText: appData,
    order: {
      sellToken: USDC,
      buyToken: Address.make(buyToken),
      receiver: owner,
      sellAmount: 1_000_000n,
      buyAmount: 10n ** 20n,
      partiallyFillable: true
    }
  })
  const signature = await privateKeyToAccount(key).signTypedData(intent.order!.typedData as never)
  const hashedAppData = appDataHash(appData)
  const order = { ...intent.order!.typedData.message, appData, appDataHash: hashedAppData }
  return { uid: intent.uid, body: { ...order, signingScheme: "eip712", signature, from: owner, ...changes } }
}

const placeOrder = async (changes: Record<string, unknown>, validFor?: number) =>
  request("POST", "/v1/orders", (await bodyOf(changes, validFor)).body)

describe("The sandbox's order book", () => {
  it("accepts an order once", async () => {
    const { body, uid } = await bodyOf()
    assert.deepStrictEqual(await request("POST", "/v1/orders", body), [201, uid])
    assert.deepStrictEqual(await request("POST", "/v1/orders", body), [400, "DuplicatedOrder"])
  })

  it.each([
    ["WrongOwner", { from: `0x${"12".repeat(20)}` }],
    ["WrongOwner", { sellAmount: "1000001" }],
    ["NonZeroFee", { feeAmount: "1" }],
    ["ZeroAmount", { sellAmount: "0" }],
    ["UnsupportedOrderType", { kind: "buy" }],
    ["UnsupportedBuyTokenDestination", { buyTokenBalance: "internal" }],
    ["UnsupportedSellTokenSource", { sellTokenBalance: "external" }],
    ["InvalidNativeSellToken", { sellToken: NATIVE }],
    ["SameBuyAndSellToken", { sellToken: WETH }],
    ["AppDataHashMismatch", { appDataHash: `0x${"12".repeat(32)}` }],
    ["InvalidAppData", { appData: "[]", appDataHash: undefined }],
    ["InvalidSignature", { signature: "0x12" }],
    ["MissingFrom", { signingScheme: "presign", signature: "0x", from: undefined }],
    ["InvalidEip1271Signature", { signingScheme: "eip1271" }]
  ])("rejects an order with %s", async (errorType, changes) => {
    assert.deepStrictEqual(await placeOrder(changes), [400, errorType])
  })

  it("rejects an order that expires too soon, and one that expires too late unless its wallet signs it on chain", async () => {
    assert.deepStrictEqual(await placeOrder({}, 30), [400, "InsufficientValidTo"])
    assert.deepStrictEqual(await placeOrder({}, 366 * 86_400), [400, "ExcessiveValidTo"])
    const [status] = await placeOrder({ signingScheme: "presign", signature: "0x" }, 366 * 86_400)
    assert.strictEqual(status, 201)
  })

  it("rejects a body that is not an order or is too long", async () => {
    assert.strictEqual((await request("POST", "/v1/orders", "{"))[0], 422)
    assert.strictEqual((await request("POST", "/v1/orders", {}))[0], 422)
    assert.strictEqual((await request("POST", "/v1/orders", JSON.stringify("x".repeat(17_000))))[0], 413)
  })

  it("accepts ten out-of-market orders of a wallet, including unsigned ones", async () => {
    const statuses: Array<number> = []
    for (let i = 0; i < 12; i++) statuses.push((await placeOrder({ signingScheme: "presign", signature: "0x" }))[0])
    assert.include(statuses, 400)
    assert.deepStrictEqual(await placeOrder({}), [400, "TooManyLimitOrders"])
  })

  it("cancels only the orders whose owner has signed the cancellation", async () => {
    const [, orders] = (await request("GET", `/v1/account/${owner}/orders?limit=1000`)) as unknown as readonly [
      number,
      ReadonlyArray<{ readonly uid: string; readonly signingScheme: string; readonly status: string }>
    ]
    const cancelOrder = async (uid: string) => {
      const { typedData } = cancellationOf(1, HexBytes.make(uid))
      const signature = await privateKeyToAccount(key).signTypedData(typedData as never)
      return request("DELETE", "/v1/orders", { orderUids: [uid], signature, signingScheme: "eip712" })
    }
    const uidOf = (scheme: string) => orders.find(({ signingScheme }) => signingScheme === scheme)!.uid
    assert.deepStrictEqual(await cancelOrder(uidOf("eip712")), [200, "Cancelled"])
    assert.deepStrictEqual(await cancelOrder(uidOf("eip712")), [400, "AlreadyCancelled"])
    assert.deepStrictEqual(await cancelOrder(uidOf("presign")), [400, "OnChainOrder"])
    assert.deepStrictEqual(await cancelOrder(`0x${"12".repeat(56)}`), [404, "OrderNotFound"])
  })

  it("rejects invalid read requests", async () => {
    assert.deepStrictEqual(await request("GET", `/v1/orders/0x${"12".repeat(56)}`), [404, "NotFound"])
    assert.deepStrictEqual(await request("GET", "/v2/trades"), [400, "InvalidTradeFilter"])
    assert.deepStrictEqual(await request("GET", `/v1/account/${owner}/orders?limit=1001`), [400, "LIMIT_OUT_OF_BOUNDS"])
    const unknownPair = { sellToken: USDC, buyToken: `0x${"12".repeat(20)}`, sellAmountBeforeFee: "1" }
    assert.deepStrictEqual(await request("POST", "/v1/quote", unknownPair), [404, "NoLiquidity"])
    assert.strictEqual((await request("GET", "/v1/nothing"))[0], 404)
  })
})
